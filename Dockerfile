# The whole program, with Debian's LibTorch, for CPUs (docs/installing.md).
FROM debian:bookworm AS build
COPY . /sharpzero
WORKDIR /sharpzero
# The launcher installs what the build needs; its second call builds sharpzero-net.
RUN ./sharpzero --version && SHARPZERO_NEEDS_NET=1 ./sharpzero --version && \
    cmake --install build/release --strip --prefix /opt/sharpzero && \
    ldd /opt/sharpzero/bin/* | sed -n 's/.*=> \(.*\) (.*/\1/p' | xargs readlink -f | xargs dpkg -S 2>/dev/null | \
    cut -d: -f1 | sort -u >/opt/sharpzero/packages

FROM debian:bookworm-slim
COPY --from=build /opt/sharpzero /opt/sharpzero
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    libopenblas0-openmp $(cat /opt/sharpzero/packages) && rm -rf /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["/opt/sharpzero/bin/sharpzero"]
CMD ["--help"]
