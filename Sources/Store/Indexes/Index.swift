import BTree

/// An index of the records of a table by something other than their ID.
///
/// Every method also has the records of the table by ID, as they are after the change: an index that stores IDs looks
/// records up there.
package protocol Index<Record>: Sendable {
    associatedtype Record: TableRecord

    /// Whether only queries of a finished version read the index, so that an import can build it once at its end.
    static var isForQueries: Bool { get }

    init()

    /// An index of many records in any order, with unique IDs.
    init(_ records: [Record])

    /// Builds the index of many records anew, in any order, with unique IDs.
    mutating func rebuild(_ records: [Record])

    /// Inserts a record that is not in the index.
    mutating func insert(_ record: Record, among records: BTree<Int, Record>)

    mutating func remove(_ record: Record, among records: BTree<Int, Record>)

    /// Replaces a record with another one of the same ID.
    mutating func replace(_ old: Record, with new: Record, among records: BTree<Int, Record>)
}

extension Index {
    package static var isForQueries: Bool { false }

    package mutating func rebuild(_ records: [Record]) { self = Self(records) }

    package mutating func replace(_ old: Record, with new: Record, among records: BTree<Int, Record>) {
        remove(old, among: records)
        insert(new, among: records)
    }
}

package protocol TableIndexes<Record>: Sendable {
    associatedtype Record: TableRecord

    init()

    /// Visits each index once.
    mutating func visit(_ visitor: inout some IndexVisitor<Record>)
}

package protocol IndexVisitor<Record> {
    associatedtype Record: TableRecord

    mutating func visit<I: Index<Record>>(_ index: inout I)
}

/// The indexes of a table that is only queried by ID.
package struct NoIndexes<Record: TableRecord>: TableIndexes {
    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Record>) {}
}
