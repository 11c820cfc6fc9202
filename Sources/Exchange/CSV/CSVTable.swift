import Bytes
import SookeModel
import Store

/// The columns of a kind of table, with one record a row: they follow from the fields of the record.
struct CSVTable<Value: WritableRecord>: Sendable {
    struct Column: Sendable {
        enum Content: Sendable, Equatable {
            case field(Int, CellNotation)
            /// The index of a field with a person, by e-mail address or ID.
            case person(Int)
            /// Hours of days, 0 for Sunday; one day in a column that is written.
            case days([Int])
            /// The opening or the closing of some days; only read, as are the next two.
            case edge(ColumnNames.DayEdge)
            case coordinates
            case part(EventTimeCells.Part)
        }

        let name: String
        let content: Content
    }

    private(set) var columns: [Column]
    private let readColumns: [Column]
    let layout: CSVLayout<Value>
    let slugField: Int?
    let idField: Int
    let placeFields: (latitude: Int, longitude: Int)?
    let timeFields: (start: Int, end: Int, allDay: Int)?

    init?() {
        guard let layout = Value.csvLayout else { return nil }
        self.layout = layout
        let person = Patch<Value>().person
        let fields = Value.fields.descriptions.filter { $0.options.contains(.column) }.map(\.name)
        let others = fields.filter { !layout.first.contains($0) && $0 != "id" && $0 != "hours" }
        var columns: [Column] = []
        for name in layout.first + others {
            let index = Value.fields.knownIndex(of: name)
            if let person, name == person.field {
                columns.append(Column(name: person.column, content: .person(index)))
            } else if let part = EventTimeCells.Part(rawValue: name) {
                columns.append(Column(name: name, content: .part(part)))
            } else {
                let name = Self.columnName(of: name)
                columns.append(Column(name: name, content: .field(index, CellNotation(ofField: name))))
            }
        }
        if layout.hours != nil {
            columns += ColumnNames.dayNames.enumerated().map { Column(name: $0.element, content: .days([$0.offset])) }
        }
        columns.append(Column(name: "id", content: .field(Value.fields.knownIndex(of: "id"), .plain)))
        self.columns = columns
        let index = { (name: String) in Value.fields.index(of: name) }
        (slugField, idField) = (index("slug"), Value.fields.knownIndex(of: "id"))
        placeFields = Value.fields.place
        timeFields = layout.times.flatMap { _ in
            if let start = index("starts_local"), let end = index("ends_local"), let allDay = index("all_day") {
                (start, end, allDay)
            } else {
                nil
            }
        }
        var inputColumns = placeFields == nil ? [] : [Column(name: "coordinates", content: .coordinates)]
        if timeFields != nil {
            let parts = EventTimeCells.Part.allCases.filter { $0 != .allDay }
            inputColumns += parts.map { Column(name: $0.rawValue, content: .part($0)) }
        }
        readColumns = columns + inputColumns
    }

    /// Cells have local times under the names that people know.
    private static func columnName(of field: String) -> String {
        switch field {
        case "starts_local": "starts_at"
        case "ends_local": "ends_at"
        default: field
        }
    }

    /// Without the columns of people, which not everybody may read.
    var withoutPeople: CSVTable {
        var table = self
        table.columns.removeAll { if case .person = $0.content { true } else { false } }
        return table
    }

    func column(named text: String) -> Column? {
        // No column has a longer name, and comparing texts takes time.
        guard text.utf8.count <= ColumnNames.longest else { return nil }
        let normalized = ColumnNames.normalized(text)
        for name in ColumnNames.columns(named: normalized) {
            if let column = readColumns.first(where: { $0.name == name }) { return column }
        }
        guard layout.hours != nil, let days = ColumnNames.days(named: normalized) else { return nil }
        return Column(name: days.count == 1 ? ColumnNames.dayNames[days[0]] : normalized, content: .days(days))
    }

    var columnNames: [String] { readColumns.map(\.name) }

    @specialized(where Value == Business)
    @specialized(where Value == Event)
    func cells(of value: Value, in town: Town) -> [String?] {
        var writer = CellWriter(value: value)
        Value.visit(&writer)
        return columns.map { column in
            switch column.content {
            case .field(let index, _): writer.cells[index]
            case .person(let index):
                writer.cells[index].flatMap { Int($0) }.map { town.people[$0]?.email ?? "\($0)" }
            case .days(let days):
                layout.hours.flatMap { value[keyPath: $0].cell(on: days[0]) }
            case .part: timeFields.flatMap { writer.cells[$0.allDay] }
            case .edge, .coordinates: nil
            }
        }
    }
}

protocol AnyCSVTable: Sendable {
    var kind: RecordKind { get }
    var ownColumn: String { get }
    var columnNames: [String] { get }

    /// By cell of the first row: the column that it is; and whether its name is known at all.
    func names(in header: CSVRow) -> [(name: String?, isKnown: Bool)]

    /// Whether the names of a first row are its own, or say when something happens, if it is about that; the number of
    /// columns that they name; and how many of these they name exactly.
    func fit(_ names: [String]) -> (isOwn: Int, known: Int, exact: Int)

    func readRows(
        _ reader: CSVReader, after header: CSVRow, _ result: inout Import.File, _ progress: (Int) -> Void)

    func write<Failure: Error>(
        _ town: Town, pieceSize: Int, to output: ([UInt8]) throws(Failure) -> Void) throws(Failure)
}

extension CSVTable: AnyCSVTable {
    var kind: RecordKind { Value.kind }

    var ownColumn: String { layout.ownColumn }

    func fit(_ names: [String]) -> (isOwn: Int, known: Int, exact: Int) {
        var found = names.compactMap { name in column(named: name).map { ($0.name, ColumnNames.normalized(name)) } }
        let exact = found.count { $0.0 == $0.1 }
        let hasTime = found.contains { $0.0 == "starts_at" || $0.0 == EventTimeCells.Part.startDate.rawValue }
        // Its own export, though other tables read the names of its columns as theirs.
        let isExport = exact == names.count && found.contains { $0.0 == ownColumn }
        // Without a time these are more probably the address and the website of a business.
        if timeFields != nil, !hasTime { found.removeAll { ["location", "url"].contains($0.0) } }
        return (isExport ? 2 : hasTime ? 1 : 0, Set(found.map(\.0)).count, exact)
    }

    func names(in header: CSVRow) -> [(name: String?, isKnown: Bool)] {
        var (ignored, problems): (CSVTableReader<Value>.Ignored, FieldProblems) = (([], []), FieldProblems())
        let columns = CSVTableReader.columns(self, header, &ignored, &problems)
        return zip(header.cells, columns).map { cell, column in
            (column?.name, column != nil || self.column(named: cell.text.withoutInvisible.trimmed) != nil)
        }
    }

    func readRows(
        _ reader: CSVReader, after header: CSVRow, _ result: inout Import.File, _ progress: (Int) -> Void
    ) {
        CSVTableReader(self, header, &result)?.readRows(reader, &result, progress)
    }

    func write<Failure: Error>(
        _ town: Town, pieceSize: Int, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var writer = CSVWriter()
        writer.row(columns.map(\.name))
        for record in Value.all(in: town) {
            writer.row(cells(of: record, in: town).map { $0.map(FormulaGuard.guarded) })
            if writer.bytes.count >= pieceSize { try output(writer.takeBytes()) }
        }
        if !writer.bytes.isEmpty { try output(writer.takeBytes()) }
    }
}

extension WritableRecord {
    static var csvTable: (any AnyCSVTable)? { CSVTable<Self>() }
}

private struct CellWriter<Value: Record>: FieldVisitor {
    typealias Subject = Value

    let value: Value
    var cells: [String?] = []

    mutating func field<Member: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Value, Member>, _ rule: Member.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        cells.append(options.contains(.column) ? value[keyPath: path].cell : nil)
    }
}

/// Lines end in CR LF, and cells are quoted where necessary (RFC 4180).
struct CSVWriter {
    var separator = UInt8(ascii: ",")
    private(set) var bytes: [UInt8] = []

    mutating func row(_ cells: [String?]) {
        for (index, text) in cells.enumerated() {
            if index > 0 { bytes.append(separator) }
            cell(text)
        }
        bytes.append("\r\n")
    }

    /// Nil is an empty cell, the empty text is `""`.
    private mutating func cell(_ text: String?) {
        guard let text else { return }
        guard text.isEmpty || text.utf8.contains(where: needsQuotes) else { return bytes.append(utf8: text) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case separator, UInt8(ascii: ","), UInt8(ascii: "\""), ASCII.lineFeed, ASCII.carriageReturn: true
        default: false
        }
    }
}
