import Bytes

/// A table in a file to import, whose cells can be shown and corrected.
package struct ImportTable {
    package struct Column: Sendable {
        package let index: Int
        package let name: String
        /// How many rows have something in it, and the first of what they have.
        package fileprivate(set) var filled = 0
        package fileprivate(set) var samples: [String] = []
    }

    package let header: Int
    /// Those with a name that no table has.
    package private(set) var unknown: [Column]
    package private(set) var rows = 0
    /// The names of columns that the table can have.
    package let choices: [String]
    private let known: [String?]
    private let reader: CSVReader
    private let text: [UInt8]

    private static let (samples, mostUnknown, sampleBytes) = (3, 20, 60)

    package init?(_ file: ImportFile) {
        guard let text = file.tableText, let layout = CSVFileReader.layout(of: text) else { return nil }
        (self.text, header, reader) = (layout.text, layout.header.number, layout.all)
        let tables = layout.known == 0 ? CSVFileReader.tables : layout.tables
        let columns = layout.known == 0 ? [] : layout.tables[0].names(in: layout.header)
        known = columns.map(\.name)
        var names: Set<String> = []
        choices = tables.flatMap(\.columnNames).filter { names.insert($0).inserted }.sorted()
        unknown = layout.header.cells.enumerated().compactMap { index, cell in
            let name = cell.text.withoutInvisible.trimmed
            if name.isEmpty || index < columns.count && columns[index].isKnown { return nil }
            return Column(index: index, name: name)
        }
        unknown = Array(unknown.prefix(Self.mostUnknown))
        var rest = layout.rest
        while let row = rest.next() {
            if row.isBlank { continue }
            rows += 1
            for place in unknown.indices where unknown[place].index < row.cells.count {
                let sample = row.cells[unknown[place].index].text.trimmed
                if sample.isEmpty { continue }
                unknown[place].filled += 1
                if unknown[place].samples.count < Self.samples {
                    unknown[place].samples.append(sample.excerpt(bytes: Self.sampleBytes))
                }
            }
        }
    }

    /// By the name that problems have for it.
    package func column(of field: String) -> Int? { known.firstIndex { $0?.hasSameBytes(as: field) == true } }

    /// The cells of some rows, by row; those of rows that cannot be read are missing.
    package func cells(in rows: Set<Int>) -> [Int: [String]] {
        var (reader, cells) = (reader, [Int: [String]]())
        let last = rows.max() ?? 0
        while let row = reader.next(), row.number <= last {
            if rows.contains(row.number), row.fault == nil { cells[row.number] = row.cells.map(\.text) }
        }
        return cells
    }

    /// The table with other texts in some cells, by row and column. What is around them stays as it is.
    package func setting(_ edits: [Int: [Int: String]]) -> [UInt8] {
        var (reader, result, start) = (reader, [UInt8](), 0)
        while let row = reader.next() {
            if let cells = edits[row.number], row.fault == nil, row.cellCount <= CSVRow.mostCells {
                var texts = row.cells.map { $0.text.isEmpty && !$0.isQuoted ? nil : $0.text }
                for (column, text) in cells where 0..<CSVRow.mostCells ~= column {
                    while texts.count <= column { texts.append(nil) }
                    texts[column] = text
                }
                var writer = CSVWriter(separator: reader.separator)
                writer.row(texts)
                result += writer.takeBytes()
            } else {
                result += text[start..<reader.position]
            }
            start = reader.position
        }
        return result
    }
}
