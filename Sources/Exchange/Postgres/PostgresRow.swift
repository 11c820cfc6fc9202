import SookeModel

/// A row as text: the export copies it, the follower applies it, and an import compares it.
package struct PostgresRow: Sendable {
    package let table: PostgresTable
    /// In the order of the columns; nil for NULL. A role is its name.
    package private(set) var values: [String?]

    init(_ table: PostgresTable, _ values: [String?]) {
        precondition(values.count == table.columns.count, "a row of \(table.name) with other columns")
        (self.table, self.values) = (table, values)
    }

    /// Has the fields of a record, or of a part of one, in the columns of their names; NULL in others.
    init<Subject: Described>(_ table: PostgresTable, of subject: Subject) {
        self.init(table, table.columns.map { _ in nil })
        var writer = FieldWriter(subject: subject, row: self)
        Subject.visit(&writer)
        self = writer.row
    }

    private struct FieldWriter<Subject: Described>: FieldVisitor {
        let subject: Subject
        var row: PostgresRow

        mutating func field<Value: FieldValue>(
            _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
            _ explanation: StaticString
        ) {
            guard let index = row.table.index(of: "\(name)") else { return }
            row.values[index] = subject[keyPath: path].cell.flatMap {
                PostgresText.canonical($0, row.table.columns[index].value)
            }
        }
    }

    package subscript(_ column: String) -> String? {
        get { values[index(of: column)] }
        set { values[index(of: column)] = newValue }
    }

    private func index(of column: String) -> Int {
        guard let index = table.index(of: column) else { preconditionFailure("\(table.name) has no \(column)") }
        return index
    }

    struct Key: Hashable {
        let table: PostgresTable
        let id: Int
    }

    var id: Int { values[0].flatMap { Int($0) } ?? 0 }

    var key: Key { Key(table: table, id: id) }

    /// By bytes: texts that are canonically equivalent differ in a database.
    var unique: [ByteText?] { table.uniqueColumns.map { self[$0].map(ByteText.init) } }

    /// Without those of times; all of them without another row.
    func columns(differingFrom other: PostgresRow?) -> [String] {
        table.columns.indices.filter { index in
            if table.columns[index].isTime { return false }
            return other.map { values[index].map(ByteText.init) != $0.values[index].map(ByteText.init) } ?? true
        }.map { table.columns[$0].name }
    }
}

extension [PostgresRow] {
    var byKey: [PostgresRow.Key: PostgresRow] { Dictionary(map { ($0.key, $0) }) { _, last in last } }
}

extension Described {
    /// Sets the fields with the names of some columns; a text that is not one of its values changes nothing.
    mutating func take(_ columns: [String], from row: PostgresRow) {
        var setter = FieldSetter(row: row, columns: columns, subject: self)
        Self.visit(&setter)
        self = setter.subject
    }
}

private struct FieldSetter<Subject: Described>: FieldVisitor {
    let row: PostgresRow
    let columns: [String]
    var subject: Subject

    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        guard columns.contains("\(name)") else { return }
        let text = row["\(name)"].map { Value.self == Bool.self ? "\($0 == "t")" : $0 }
        guard let value = Value(cell: text ?? "", isQuoted: text != nil) else { return }
        subject[keyPath: path] = value
    }
}
