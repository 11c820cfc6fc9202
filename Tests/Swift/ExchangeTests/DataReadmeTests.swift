import Foundation
import SookeModel
import TestSupport
import Testing

@testable import Exchange

/// `data/README.md` lists exactly the existing columns and fields.
@Suite struct DataReadmeTests {
    private static let page: String = {
        let path = ProjectFolder.file("data/README.md")
        return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    }()

    /// The names in the rows of a section's table, by their first cell.
    private func rows(_ section: String) -> [(first: String, second: String)] {
        let text = Self.page.split(separator: "\n## ").first { $0.hasPrefix(section) } ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 2 ? (cells[0], cells[1]) : nil
        }
    }

    private func names(_ cell: String) -> [String] {
        cell.matches(of: /`(\w+)`/).map { String($0.1) }
    }

    @Test func everyColumn() {
        let businesses = rows("A table of businesses").flatMap { names($0.first) }
        #expect(businesses.sorted() == CSVTable<Business>()?.columnNames.sorted())
        let events = rows("A table of events").flatMap { names($0.first) }
        #expect(events.sorted() == CSVTable<Event>()?.columnNames.sorted())
    }

    @Test func everyField() {
        let fields = Dictionary(uniqueKeysWithValues: rows("The fields of a dataset"))
        #expect(names(fields["settings"] ?? "").sorted() == Settings.fields.names.sorted())
        #expect(names(fields["category, event type"] ?? "").sorted() == Category.fields.names.sorted())
        #expect(names(fields["user"] ?? "").sorted() == Person.fields.names.sorted())
        #expect(names(fields["business"] ?? "").sorted() == Business.fields.names.sorted())
        #expect(names(fields["event"] ?? "").sorted() == Event.fields.names.sorted())
    }
}
