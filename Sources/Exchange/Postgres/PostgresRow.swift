/// A row of a table in Postgres, as text.
///
/// The export copies rows, the follower inserts, updates and deletes them one by one, and an import compares them.
package struct PostgresRow: Sendable {
    package let table: PostgresTable
    /// The values in the order of the columns; nil for NULL. A role is its name.
    package let values: [String?]

    /// A row with a value for each column.
    package init(_ table: PostgresTable, _ values: [String?]) {
        precondition(values.count == table.columns.count, "a row of \(table.name) with other columns")
        (self.table, self.values) = (table, values)
    }

    /// The value of a column, which must exist.
    package subscript(_ column: String) -> String? {
        guard let index = table.index(of: column) else { preconditionFailure("\(table.name) has no \(column)") }
        return values[index]
    }

    /// Appends the row as a line of `COPY` in the text format.
    func append(toCopy bytes: inout [UInt8]) {
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            bytes.append(copied: value)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension PostgresRow: Equatable {
    /// Whether two rows have the same bytes: texts that are canonically equivalent differ in a database.
    package static func == (left: PostgresRow, right: PostgresRow) -> Bool {
        left.table == right.table && left.values.indices.allSatisfy { left.hasSameValue(as: right, $0) }
    }

    fileprivate func hasSameValue(as other: PostgresRow, _ index: Int) -> Bool {
        guard let value = values[index], let otherValue = other.values[index] else {
            return values[index] == nil && other.values[index] == nil
        }
        return value.hasSameBytes(as: otherValue)
    }

    /// The ID in the first column; 0 when it has none.
    var id: Int { values[0].flatMap { Int($0) } ?? 0 }

    /// What distinguishes the row among those of several tables.
    struct Key: Hashable {
        let table: PostgresTable
        let id: Int
    }

    var key: Key { Key(table: table, id: id) }

    /// The columns whose values differ in another row of the table, without those of times; all of them without one.
    func columns(differingFrom other: PostgresRow?) -> [String] {
        values.indices.filter { index in
            !table.columns[index].isTime && !(other.map { hasSameValue(as: $0, index) } ?? false)
        }.map { table.columns[$0].name }
    }

    /// Whether two rows of a table have the same values, but for times.
    static func haveSameValues(_ one: PostgresRow?, _ other: PostgresRow?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.columns(differingFrom: other).isEmpty
    }
}

/// Statements of SQL, without a semicolon.
extension PostgresRow {
    var delete: String { "DELETE FROM \(table.name) WHERE id = \(id)" }
}
