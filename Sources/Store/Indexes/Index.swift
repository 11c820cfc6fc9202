import BTree

/// An index of the records of a table by something other than their ID.
///
/// Every method also has the records of the table by ID, as they are after the change: an index that stores IDs looks
/// records up there.
public protocol Index<Record>: Sendable {
    /// The records of the table.
    associatedtype Record: TableRecord

    /// Whether only queries of a finished version read the index, so that an import can build it once at its end.
    static var isForQueries: Bool { get }

    /// An index of no records.
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
    /// Most indexes are read by transactions.
    public static var isForQueries: Bool { false }

    /// Most indexes are built at once.
    public mutating func rebuild(_ records: [Record]) { self = Self(records) }

    /// Removes the old record and inserts the new one.
    public mutating func replace(_ old: Record, with new: Record, among records: BTree<Int, Record>) {
        remove(old, among: records)
        insert(new, among: records)
    }
}

public protocol TableIndexes<Record>: Sendable {
    /// The records of the table.
    associatedtype Record: TableRecord

    /// Indexes of no records.
    init()

    /// Visits each index once.
    mutating func visit(_ visitor: inout some IndexVisitor<Record>)
}

/// A visitor of the indexes of a table.
public protocol IndexVisitor<Record> {
    /// The records of the table.
    associatedtype Record: TableRecord

    mutating func visit<I: Index<Record>>(_ index: inout I)
}

/// The indexes of a table that is only queried by ID.
public struct NoIndexes<Record: TableRecord>: TableIndexes {
    /// No indexes.
    public init() {}

    /// Visits nothing.
    public mutating func visit(_ visitor: inout some IndexVisitor<Record>) {}
}
