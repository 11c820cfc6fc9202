import JSON
import SookeModel
import Store

/// A kind of table that CSV files hold: its columns, and how a record and a row become one another.
protocol CSVTable {
    /// What a row is about.
    associatedtype Value: Record
    /// The columns, by the names in the first row, in the order in which they are written.
    associatedtype Column: RawRepresentable<String>, CaseIterable, Hashable, Sendable

    /// The column whose person may be named by an e-mail address.
    static var personColumn: Column { get }
    /// A row's patch as one of any kind.
    static func wrap(_ patch: Patch<Value>) -> AnyPatch
    /// Reads a cell that may be empty into the row's patch.
    static func read(_ cell: CSVCell, _ column: Column, into row: inout CSVRecord<Value>)
    /// The cell that says what a record has in a column.
    static func cell(_ column: Column, of value: Value, in community: Community) -> String?
}

extension CSVTable {
    /// The cell for a person: the e-mail address, or the number of somebody who is not there.
    static func personCell(_ id: Int, in community: Community) -> String {
        community.people[id]?.email ?? "\(id)"
    }

    /// The cell for degrees: the shortest decimal number that reads back as the same.
    static func degreesCell(_ degrees: Double) -> String {
        var digits: [UInt8] = []
        digits.append(json: degrees)
        return String(decoding: digits, as: UTF8.self)
    }
}
