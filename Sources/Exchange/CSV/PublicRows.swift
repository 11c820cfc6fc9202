import SookeModel
import Store

/// The rows of a table with what everybody may read: the columns of an import without those of people.
public struct PublicRows<Value: WritableRecord>: Sendable {
    private let table: CSVTable<Value>

    /// The rows of a kind of record that has a table.
    public init() {
        guard let table = CSVTable<Value>() else { preconditionFailure("there is no table of \(Value.kind)") }
        self.table = table.withoutPeople
    }

    /// The first row, which names the columns.
    public var header: [UInt8] {
        var writer = CSVWriter()
        for column in table.columns { writer.cell(column.name) }
        writer.endRow()
        return writer.bytes
    }

    /// The row of a record.
    public func row(of value: Value) -> [UInt8] {
        var writer = CSVWriter()
        // Only the column of a person needs the town.
        for cell in table.cells(of: value, in: Town()) { writer.cell(cell.map(FormulaGuard.guarded)) }
        writer.endRow()
        return writer.bytes
    }
}
