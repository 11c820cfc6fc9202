import Bytes
import Exchange
import SookeModel
import Store

/// A table with the public columns of an import.
struct TableText<Record: TableRecord>: ListText where Record.Value: WritableRecord {
    private let rows = PublicRows<Record.Value>()

    var recordsAtATime: Int { 64 }

    mutating func begin(_ text: inout [UInt8]) { text.append(contentsOf: rows.header) }

    mutating func append(_ record: Record, to text: inout [UInt8]) {
        text.append(contentsOf: rows.row(of: record.value))
    }

    mutating func end(_ text: inout [UInt8]) {}
}
