import Bytes
import HTTP
import Store
import Synchronization

/// The text of a whole list, in the order in which it is sent.
protocol ListText<Record>: Sendable {
    /// The type of the records.
    associatedtype Record

    /// The text before the items.
    mutating func begin(_ text: inout [UInt8])

    /// Appends an item.
    mutating func append(_ record: Record, to text: inout [UInt8])

    /// The text after the items.
    mutating func end(_ text: inout [UInt8])
}

/// All records of a list, in small parts.
protocol RecordParts<Record>: Sendable {
    /// The type of the records.
    associatedtype Record

    /// The next records, which may be none; nil at the end.
    mutating func next() -> [Record]?
}

extension BusinessList: RecordParts {}

/// Events that are known already.
struct EventParts: RecordParts {
    private static let partSize = 128
    private var rest: ArraySlice<EventRecord>

    init(_ events: [EventRecord]) {
        rest = events[...]
    }

    mutating func next() -> [EventRecord]? {
        if rest.isEmpty { return nil }
        defer { rest = rest.dropFirst(Self.partSize) }
        return Array(rest.prefix(Self.partSize))
    }
}

/// All records of a list, rendered while they are sent: however large the town is, the event loop works on a small
/// part at a time, and one part is in memory.
final class StreamedList<Parts: RecordParts, Text: ListText<Parts.Record>>: BodySource {
    private struct State {
        var parts: Parts
        var text: Text
        var isBegun = false
        var isEnded = false
    }

    private static var partSize: Int { 32 * 1024 }
    /// The most parts of the list that are visited at a time: few of the candidates may match.
    private static var workLimit: Int { 8 }
    private let state: Mutex<State>

    init(_ parts: Parts, as text: Text) {
        state = Mutex(State(parts: parts, text: text))
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            if state.isEnded { return .end }
            var text: [UInt8] = []
            text.reserveCapacity(Self.partSize * 3 / 2)
            if !state.isBegun { state.text.begin(&text) }
            state.isBegun = true
            for _ in 0..<Self.workLimit where text.count < Self.partSize && !state.isEnded {
                if let records = state.parts.next() {
                    for record in records { state.text.append(record, to: &text) }
                } else {
                    state.text.end(&text)
                    state.isEnded = true
                }
            }
            if !text.isEmpty { return .bytes(text) }
            wakeup()
            return .pending
        }
    }
}
