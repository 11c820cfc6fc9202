import Bytes
import SookeModel
import Store

/// A kind of table in CSV files, with one record per row: its columns, which follow from the fields of the record.
struct CSVTable<Value: Record>: Sendable {
    /// A column.
    struct Column: Sendable {
        /// The content of a column.
        enum Content: Sendable {
            /// The field with an index.
            case field(Int)
            /// The person in the field with an index, by e-mail address or ID.
            case person(Int)
            /// The hours of a day of the week, 0 for Sunday.
            case day(Int)
        }

        /// The name in the first row.
        let name: String
        let content: Content
    }

    /// Conversions between the hours of a day and a cell.
    struct Days: Sendable {
        let read: @Sendable (CSVCell, _ column: String, _ day: Int, inout CSVRecord<Value>) -> Void
        let cell: @Sendable (Value, _ day: Int) -> String?
    }

    /// The columns, in the order in which they are written.
    let columns: [Column]
    /// The column with a person, who may be given by e-mail address.
    let personColumn: String
    let days: Days?
    /// Wraps the patch of a row.
    let wrap: @Sendable (Patch<Value>) -> AnyPatch

    private static var dayNames: [String] {
        ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    }

    /// A table of all fields that have a column.
    ///
    /// - Parameters:
    ///   - first: the fields of the first columns; the ID comes last.
    ///   - person: the field with a person, and its column.
    init(
        first: [String], person: (field: String, column: String), days: Days? = nil,
        _ wrap: @escaping @Sendable (Patch<Value>) -> AnyPatch
    ) {
        let fields = Value.fields.descriptions.filter { $0.options.contains(.column) }.map(\.name)
        let others = fields.filter { !first.contains($0) && $0 != "id" && $0 != "hours" }
        var columns: [Column] = []
        for name in first + others {
            let index = Value.fields.knownIndex(of: name)
            let isPerson = name == person.field
            columns.append(
                Column(name: isPerson ? person.column : name, content: isPerson ? .person(index) : .field(index)))
        }
        if days != nil {
            columns += Self.dayNames.enumerated().map { Column(name: $0.element, content: .day($0.offset)) }
        }
        columns.append(Column(name: "id", content: .field(Value.fields.knownIndex(of: "id"))))
        (self.columns, self.days, personColumn, self.wrap) = (columns, days, person.column, wrap)
    }

    /// The index of the column with the name in a cell, ignoring case and surrounding spaces.
    func column(named cell: CSVCell) -> Int? {
        let name = cell.text.trimmed.utf8
        return columns.firstIndex { ASCII.equalIgnoringCase($0.name.utf8, name) }
    }

    /// The cells of a record, one per column; nil for an empty one.
    func cells(of value: Value, in community: Community) -> [String?] {
        var writer = CellWriter(value: value)
        Value.visit(&writer)
        return columns.map { column in
            switch column.content {
            case .field(let index): writer.cells[index]
            case .person(let index):
                writer.cells[index].flatMap { Int($0) }.map { community.people[$0]?.email ?? "\($0)" }
            case .day(let day): days?.cell(value, day)
            }
        }
    }
}

/// Writes each field as a cell.
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
