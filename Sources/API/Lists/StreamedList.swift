import Bytes
import Exchange
import HTTP
import JSON
import SookeModel
import Store
import Synchronization

/// The text of a whole list, in the order in which it is sent.
protocol ListText<Record>: Sendable {
    associatedtype Record

    /// How many records are visited at a time: they take less than a millisecond.
    var recordsAtATime: Int { get }

    /// The text before the items.
    mutating func begin(_ text: inout [UInt8])

    mutating func append(_ record: Record, to text: inout [UInt8])

    /// The text after the items.
    mutating func end(_ text: inout [UInt8])
}

extension ListText {
    var recordsAtATime: Int { 128 }
}

/// All records of a list, in small parts.
protocol RecordParts<Record>: Sendable {
    associatedtype Record

    /// The next records, which may be none; nil at the end.
    ///
    /// - Parameter count: how many candidates are visited.
    mutating func next(visiting count: Int) -> [Record]?
}

extension BusinessList: RecordParts {}
extension EventList: RecordParts {}

/// All records of a list, rendered while they are sent: however large the town is, the event loop visits a few of its
/// records at a time, whether they match or not, and one part is in memory.
final class StreamedList<Parts: RecordParts, Text: ListText<Parts.Record>>: BodySource {
    private struct State {
        var parts: Parts
        var text: Text
        var isBegun = false
        var isEnded = false
    }

    private let state: Mutex<State>

    init(_ parts: Parts, as text: Text) {
        state = Mutex(State(parts: parts, text: text))
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            if state.isEnded { return .end }
            var text: [UInt8] = []
            if !state.isBegun { state.text.begin(&text) }
            state.isBegun = true
            if let records = state.parts.next(visiting: state.text.recordsAtATime) {
                for record in records { state.text.append(record, to: &text) }
            } else {
                state.text.end(&text)
                state.isEnded = true
            }
            if !text.isEmpty { return .bytes(text) }
            wakeup()
            return .pending
        }
    }
}

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

/// Selects members of an object that is JSON already.
struct MemberFilter: Sendable {
    /// The names of the selected members, or of those that are left out.
    let names: Set<String>
    let isExclusive: Bool

    static func only(_ names: Set<String>) -> MemberFilter { MemberFilter(names: names, isExclusive: false) }

    /// All but these members.
    static func without(_ names: Set<String>) -> MemberFilter { MemberFilter(names: names, isExclusive: true) }

    /// The object with the selected members, in their order.
    func apply(to object: [UInt8]) -> [UInt8] {
        var result = [UInt8]("{")
        result.reserveCapacity(object.count)
        do {
            var reader = JSONReader(object, limits: .trusted)
            try reader.beginObject()
            while let name = try reader.nextKey() {
                if names.contains(name) == isExclusive {
                    try reader.skipValue()
                    continue
                }
                if result.count > 1 { result.append(",") }
                result.append(json: name)
                result.append(":")
                result.append(contentsOf: try reader.readRawSlice())
            }
        } catch {
            preconditionFailure("an object of the server is not JSON: \(error)")
        }
        result.append("}")
        return result
    }
}
