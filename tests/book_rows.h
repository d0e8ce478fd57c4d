#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <string>

// All that the file of an opening book holds, row by row.
inline std::string book_rows(const std::string& folder) {
  const SQLite::Database database(folder + "/book.db");
  std::string text;
  for (const char* query :
       {"SELECT * FROM settings", "SELECT * FROM positions", "SELECT * FROM moves"}) {
    SQLite::Statement rows(database, query);
    while (rows.executeStep()) {
      for (int i = 0; i < rows.getColumnCount(); ++i) {
        text.append(static_cast<const char*>(rows.getColumn(i).getBlob()),
                    static_cast<std::size_t>(rows.getColumn(i).getBytes()));
        text += '|';
      }
      text += '\n';
    }
  }
  return text;
}
