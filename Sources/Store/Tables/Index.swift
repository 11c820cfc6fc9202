/// An index of the records of a table by something other than their ID.
package protocol Index<Record>: Sendable {
    associatedtype Record: TableRecord

    /// Whether only queries of a finished version read the index, so that an import can build it once at its end.
    var isForQueries: Bool { get }

    /// Builds the index of many records, in any order, with unique IDs. Only one for queries is built so.
    mutating func rebuild(_ records: [Record])

    mutating func insert(_ record: Record)

    mutating func remove(_ record: Record)

    mutating func replace(_ old: Record, with new: Record)
}

extension Index {
    package var isForQueries: Bool { false }

    package mutating func rebuild(_ records: [Record]) {}

    package mutating func replace(_ old: Record, with new: Record) {
        remove(old)
        insert(new)
    }
}

package protocol TableIndexes<Record>: Sendable {
    associatedtype Record: TableRecord

    init()

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
