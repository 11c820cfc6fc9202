import Bytes

/// A list of calendars as a file: CSV, or OPML as programs with feeds write it. Each has texts by the names of fields.
package enum CalendarList {
    package enum Format: String, CaseIterable, Sendable {
        case csv, opml
    }

    package typealias Row = [String: String]

    private static let fields = ["name", "address", "host", "organizer", "event_type", "place", "trust"]
    private static let names = [
        "text": "name", "title": "name", "xmlurl": "address", "xml_url": "address", "url": "address",
        "link": "address", "calendar": "name",
    ]

    /// Nil for a file that is neither; rows without an address are left out.
    package static func read(_ bytes: [UInt8]) -> [Row]? {
        let mark = ImportFile.byteOrderMark
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        let isXML = text.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
        let rows = isXML ? (try? opml(text)) : csv(text)
        guard let rows = rows?.filter({ $0["address"] != nil }), !rows.isEmpty else { return nil }
        return rows
    }

    private static func csv(_ bytes: [UInt8]) -> [Row] {
        var reader = CSVReader(bytes, separator: UInt8(ascii: bytes.prefix { $0 != 10 }.contains(0x3b) ? ";" : ","))
        let columns = (reader.next()?.cells ?? []).map { cell in
            let name = ColumnNames.normalized(cell.text)
            return names[name] ?? name
        }
        var rows: [Row] = []
        while let row = reader.next() {
            let cells = zip(columns, row.cells.map { FormulaGuard.unguarded($0.text).trimmed })
            rows.append(Row(cells.filter { fields.contains($0) && !$1.isEmpty }) { first, _ in first })
        }
        return rows
    }

    private static func opml(_ bytes: [UInt8]) throws(WorkbookError) -> [Row] {
        var (reader, rows) = (XMLReader(bytes), [Row]())
        while try reader.skipToElement() {
            guard reader.isAt("outline") else { continue }
            var row = Row()
            for field in fields { row[field] = reader.attribute(field) }
            row["name"] = reader.attribute("text") ?? reader.attribute("title")
            row["address"] = reader.attribute("xmlUrl") ?? reader.attribute("url")
            rows.append(row.filter { !$0.value.isEmpty })
        }
        return rows
    }

    package static func write(_ rows: [Row], as format: Format) -> [UInt8] {
        switch format {
        case .csv:
            var writer = CSVWriter()
            writer.row(fields)
            for row in rows { writer.row(fields.map { row[$0].map(FormulaGuard.guarded) }) }
            return writer.bytes
        case .opml:
            var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
            text += "<opml version=\"2.0\">\n<head><title>Calendars</title></head>\n<body>\n"
            for row in rows {
                text += "<outline type=\"ical\""
                for field in fields {
                    guard let value = row[field] else { continue }
                    text += " \(field == "name" ? "text" : field == "address" ? "xmlUrl" : field)=\"\(escaped(value))\""
                }
                text += "/>\n"
            }
            return Array((text + "</body>\n</opml>\n").utf8)
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"": result += "&#\(scalar.value);".unicodeScalars
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
