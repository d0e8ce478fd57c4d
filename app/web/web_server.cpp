#include "app/web/web_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <variant>

#include "app/web/web_assets.h"
#include "base/errors.h"

namespace app {
namespace {

using httplib::Request;
using httplib::Response;

constexpr std::size_t kMostBody = 64 * 1024;
constexpr std::size_t kLongestTarget = 1024;
constexpr std::size_t kConnections = 64;
constexpr int kWaiting = 128;  // connections that wait to be taken
constexpr std::string_view kApi = "/api";
constexpr const char* kCookie = "sharpzero_token";
constexpr const char* kJson = "application/json";

// What every reply carries: scripts come from here alone and none stands in a page.
const httplib::Headers kHeaders{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"}};

// As text; bytes that are not UTF-8, which a message may repeat, are replaced.
std::string dump_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void send_reply(Response& reply, const WebReply& answered) {
  reply.status = answered.status;
  reply.set_content(dump_of(answered.json) + "\n", kJson);
}

void refuse(Response& reply, int status, const std::string& message) {
  send_reply(reply, {status, {{"error", message}}});
}

// Takes the same time wherever the two differ.
bool are_equal(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return difference == 0;
}

// The value of our cookie; empty where there is none.
std::string cookie_of(const Request& request) {
  std::istringstream in(request.get_header_value("Cookie"));
  for (std::string pair; std::getline(in >> std::ws, pair, ';');) {
    const std::string name = std::string(kCookie) + "=";
    if (pair.starts_with(name)) return pair.substr(name.size());
  }
  return "";
}

// A Host header that names this machine, so that no other page's name was made to point here.
bool is_loopback(std::string host) {
  if (const auto colon = host.rfind(':'); colon != std::string::npos && host.back() != ']') {
    host.erase(colon);
  }
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

// Writes a stream's events as a browser's EventSource reads them.
void send_events(const WebStream& stream, httplib::DataSink& sink) {
  const auto write = [&sink](const std::string& text) {
    return sink.is_writable() && sink.write(text.data(), text.size());
  };
  const SendEvent send = [&](std::string_view name, const nlohmann::ordered_json& data) {
    return write(data.is_null() ? ":\n\n"
                                : fmt::format("event: {}\ndata: {}\n\n", name, dump_of(data)));
  };
  try {
    stream(send);
  } catch (const std::exception& error) {
    send("end", {{"error", base::one_line(error.what())}});
  }
  sink.done();
}

// An IPv6 address as sockets take it, where it was given as addresses of pages have it.
std::string without_brackets(const std::string& host) {
  const bool has = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return has ? host.substr(1, host.size() - 2) : host;
}

WebParameters parameters_of(const Request& request) {
  WebParameters parameters;
  for (const auto& [name, value] : request.params) parameters[name] = value;
  return parameters;
}

}  // namespace

class WebServer::Http : public httplib::Server {
 public:
  Http(WebApi& api, const std::string& token) : api_(api), token_(token) {
    set_socket_options([](socket_t socket) {  // not SO_REUSEPORT: another server's port is taken
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
    set_payload_max_length(kMostBody);
    set_read_timeout(5);
    set_write_timeout(5);
    set_keep_alive_timeout(2);
    set_keep_alive_max_count(1000);
    set_default_headers(kHeaders);
    set_pre_routing_handler([](const Request& request, Response& reply) {
      if (request.has_header("Range")) {
        reply.status = 416;  // without a body, of which parts would be sent
        return HandlerResponse::Handled;
      }
      if (request.target.size() <= kLongestTarget) return HandlerResponse::Unhandled;
      refuse(reply, 414, "the address is too long");
      return HandlerResponse::Handled;
    });
    const auto answers = [this](const Request& request, Response& reply) {
      if (is_admitted(request, reply)) answer(request, reply);
    };
    Get(".*", answers);
    Post(".*", answers);
    Delete(".*", answers);
    set_error_handler([](const Request&, Response& reply) {
      if (reply.body.empty() && reply.status != 416)
        refuse(reply, reply.status, "this cannot be answered");
    });
    set_exception_handler([](const Request&, Response& reply, std::exception_ptr error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& known) {
        refuse(reply, 500, base::one_line(known.what()));
      } catch (...) {
        refuse(reply, 500, "this went wrong");
      }
    });
  }

  // The socket that is bound takes more connections that wait than the library's few.
  void widen() { ::listen(svr_sock_, kWaiting); }

 private:
  // Else the reply says why not.
  bool is_admitted(const Request& request, Response& reply) const {
    const std::string host = request.get_header_value("Host");
    if (token_.empty() && !is_loopback(host)) {
      refuse(reply, 403, "this is served to this machine alone");
      return false;
    }
    const std::string origin = request.get_header_value("Origin");
    if (request.method != "GET" && !origin.empty() && origin != "http://" + host &&
        origin != "https://" + host) {
      refuse(reply, 403, "other pages may not ask this");
      return false;
    }
    if (token_.empty() || are_equal(cookie_of(request), token_) ||
        are_equal(request.get_header_value("Authorization"), "Bearer " + token_)) {
      return true;
    }
    if (request.path == "/" && are_equal(request.get_param_value("token"), token_)) {
      reply.set_header("Set-Cookie",
                       fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", kCookie, token_));
      reply.set_redirect("/", 303);
      return false;
    }
    refuse(reply, 401, "the token is missing or wrong: open the address that `serve` printed");
    return false;
  }

  void answer(const Request& request, Response& reply) {
    if (!request.path.starts_with(kApi)) return send_asset(request, reply);
    const std::string path = request.path.substr(kApi.size());
    if (request.method == "GET" && WebApi::is_stream(path)) {
      return open_stream(path, request, reply);
    }
    send_reply(reply, api_.handle(request.method, path, request.body));
  }

  void send_asset(const Request& request, Response& reply) {
    const auto& all = web_assets();
    const auto found = std::ranges::find(all, request.path, &WebAsset::path);
    if (found == all.end() || request.method != "GET") {
      return refuse(reply, 404, "there is nothing here");
    }
    reply.set_content(found->content.data(), found->content.size(), std::string(found->type));
  }

  void open_stream(const std::string& path, const Request& request, Response& reply) {
    auto opened = api_.open_stream(path, parameters_of(request));
    if (const auto* refused = std::get_if<WebReply>(&opened)) return send_reply(reply, *refused);
    reply.set_chunked_content_provider(
        "text/event-stream",
        [stream = std::get<WebStream>(std::move(opened))](std::size_t, httplib::DataSink& sink) {
          send_events(stream, sink);
          return true;
        });
  }

  WebApi& api_;
  const std::string token_;
};

WebServer::WebServer(WebApi& api, const WebServerOptions& options)
    : api_(api), http_(std::make_unique<Http>(api, options.token)) {
  const std::string host = options.host.empty() ? "127.0.0.1" : without_brackets(options.host);
  port_ = options.port;
  const bool bound =
      port_ == 0 ? (port_ = http_->bind_to_any_port(host)) > 0 : http_->bind_to_port(host, port_);
  if (!bound) {
    throw base::EnvironmentError(fmt::format(
        "cannot listen on {} port {}: expected a free port of this machine", host, options.port));
  }
  http_->widen();
  const bool is_v6 = host.find(':') != std::string::npos;
  url_ = fmt::format("http://{}:{}/{}", is_v6 ? "[" + host + "]" : host, port_,
                     options.token.empty() ? "" : "?token=" + options.token);
}

WebServer::~WebServer() = default;

void WebServer::run(const std::atomic<bool>& stop) {
  using namespace std::chrono_literals;
  std::jthread listener([this] { http_->listen_after_bind(); });
  while (!stop || !http_->is_running()) std::this_thread::sleep_for(50ms);
  api_.stop();
  http_->stop();
}

}  // namespace app
