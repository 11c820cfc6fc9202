/// A row as text: the export copies it, the follower applies it, and an import compares it.
package struct PostgresRow: Sendable {
    package let table: PostgresTable
    /// In the order of the columns; nil for NULL. A role is its name.
    package let values: [String?]

    package init(_ table: PostgresTable, _ values: [String?]) {
        precondition(values.count == table.columns.count, "a row of \(table.name) with other columns")
        (self.table, self.values) = (table, values)
    }

    package subscript(_ column: String) -> String? {
        guard let index = table.index(of: column) else { preconditionFailure("\(table.name) has no \(column)") }
        return values[index]
    }

    func append(toCopy bytes: inout [UInt8]) {
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            bytes.append(copied: value)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension PostgresRow: Equatable {
    /// By bytes: texts that are canonically equivalent differ in a database.
    package static func == (left: PostgresRow, right: PostgresRow) -> Bool {
        left.table == right.table && left.values.indices.allSatisfy { left.hasSameValue(as: right, $0) }
    }

    fileprivate func hasSameValue(as other: PostgresRow, _ index: Int) -> Bool {
        guard let value = values[index], let otherValue = other.values[index] else {
            return values[index] == nil && other.values[index] == nil
        }
        return value.hasSameBytes(as: otherValue)
    }

    var id: Int { values[0].flatMap { Int($0) } ?? 0 }

    struct Key: Hashable {
        let table: PostgresTable
        let id: Int
    }

    var key: Key { Key(table: table, id: id) }

    /// Without those of times; all of them without another row.
    func columns(differingFrom other: PostgresRow?) -> [String] {
        values.indices.filter { index in
            !table.columns[index].isTime && !(other.map { hasSameValue(as: $0, index) } ?? false)
        }.map { table.columns[$0].name }
    }

    static func haveSameValues(_ one: PostgresRow?, _ other: PostgresRow?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.columns(differingFrom: other).isEmpty
    }
}

extension PostgresRow {
    var delete: String { "DELETE FROM \(table.name) WHERE id = \(id)" }
}
