import Bytes
import Exchange
import SookeModel

/// What is or may be wrong in files: each kind once, with the cells that can be corrected; and the columns that nobody
/// knows.
struct ImportFindings {
    private let findings: [Finding]
    private let files: [ImportFile]
    private let tables: [ImportTable?]
    /// By file, row and column.
    private let cells: [[Int: [String]]]

    private static let (mostFields, mostCells, mostListed, longestCell) = (60, 5, 50, 1_000)

    init(_ findings: [Finding], _ files: [ImportFile]) {
        (self.findings, self.files) = (findings, files)
        tables = files.map { ImportTable($0) }
        cells = zip(files, tables).map { file, table in
            let rows = findings.filter { $0.file == file.name }.flatMap { $0.rows.prefix(Self.mostCells) }
            return table?.cells(in: Set(rows)) ?? [:]
        }
    }

    var markup: HTML {
        // A cell with two problems is one field.
        var fields: Set<String> = []
        let parts = [false, true].map { isWarning in
            let all = findings.filter { $0.isWarning == isWarning }
            let cards = all.prefix(Self.mostListed).reduce(into: HTML()) { $0.append(card($1, &fields)) }
            let rest = all.count - Self.mostListed
            return """
                <section class="section"\(attribute: "hidden", if: all.isEmpty)>\
                <h2>\(isWarning ? "Please check" : "Problems")</h2><div class="stack">\(cards)\
                \(if: rest > 0, "<p>and \(rest) more kinds</p>")</div></section>
                """ as HTML
        }
        return parts[0] + columns + parts[1]
    }

    private func card(_ finding: Finding, _ fields: inout Set<String>) -> HTML {
        let index = files.firstIndex { $0.name == finding.file } ?? 0
        let table = tables.indices.contains(index) ? tables[index] : nil
        var shown = HTML()
        if let column = finding.field.shown.flatMap({ table?.column(of: $0) }) {
            for row in finding.rows.prefix(Self.mostCells) where row != table?.header {
                let name = "cell.\(index).\(row).\(column)"
                guard fields.count < Self.mostFields, let cells = cells[index][row] else { break }
                let text = column < cells.count ? cells[column] : ""
                guard text.utf8.count <= Self.longestCell, fields.insert(name).inserted else { continue }
                shown.append(field(name, "Row \(row)", text))
            }
        }
        return """
            <article class="card"><p>\(if: finding.field.shown, { "<strong>\(ChangeRows.label($0))</strong>: " })\
            <span dir="auto">\(Self.words(finding.message))</span></p>\
            <p class="small soft"><bdi>\(finding.file)</bdi>, \(place(of: finding, isTable: table != nil))</p>\
            \(shown)</article>
            """
    }

    private func place(of finding: Finding, isTable: Bool) -> String {
        let shown = zip(finding.rows, finding.records).prefix(Self.mostCells).map { row, record in
            record.isEmpty ? "\(row)" : "\(row) (\(record))"
        }
        let rest = finding.count - shown.count
        let noun = (isTable ? "row" : "line") + (finding.count == 1 ? " " : "s ")
        return noun + shown.joined(separator: ", ") + (rest > 0 ? " and \(Count.grouped(rest)) more" : "")
    }

    private func field(_ name: String, _ label: String, _ text: String) -> HTML {
        var field = FormField(name: name, label: label)
        (field.shown, field.isMerged) = (text.typed, true)
        if text.utf8.contains(ASCII.lineFeed) { field.control = .lines(3) }
        return field.markup(FormState())
    }

    private var columns: HTML {
        let unknown = tables.enumerated().flatMap { index, table in (table?.unknown ?? []).map { (index, $0, table) } }
        if unknown.isEmpty { return "" }
        return """
            <section class="section"><h2>Columns that we do not know</h2>\(each: unknown, { index, column, table in
                choice(of: column, in: table, file: index).markup(FormState())
            })</section>
            """
    }

    /// A choice gives the column another name in the row of names.
    private func choice(of column: ImportTable.Column, in table: ImportTable?, file: Int) -> FormField {
        let samples = column.samples.map { "“\($0)”" }.joined(separator: ", ")
        let rows = "In \(Count.grouped(column.filled)) of \(Count.grouped(table?.rows ?? 0)) rows"
        var field = FormField(
            name: "cell.\(file).\(table?.header ?? 1).\(column.index)", label: column.name,
            hint: samples.isEmpty ? "Empty in all rows" : "\(rows): \(samples)",
            control: .choice(
                [(column.name, "Leave it out")] + (table?.choices ?? []).map { ($0, ChangeRows.label($0)) }))
        (field.shown, field.isMerged) = (column.name, true)
        return field
    }

    /// What messages say of the options of a command, as this page has them.
    static func words(_ message: String) -> String {
        let words = [
            (", or begin with a set of them: --starter", ""), ("create it with --create-categories", "create it below"),
            (" with --center 48.374,-123.726 or a link to a map", " in the settings of the town"),
            ("; --event-type gives it to all events without one", ""),
        ]
        return words.reduce(message) { message, word in
            guard let range = message.firstRange(ofBytes: word.0) else { return message }
            return String(message[..<range.lowerBound]) + word.1 + String(message[range.upperBound...])
        }
    }
}
