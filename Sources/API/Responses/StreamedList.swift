import Bytes
import HTTP
import Store
import Synchronization

/// The text of a whole list, in the order in which it is sent.
protocol ListText: Sendable {
    /// The text before the items.
    mutating func begin(_ text: inout [UInt8])

    /// Appends an item.
    mutating func append(_ business: BusinessRecord, to text: inout [UInt8])

    /// The text after the items.
    mutating func end(_ text: inout [UInt8])
}

/// All businesses of a list, rendered while they are sent: however large the town is, the event loop works on a small
/// part at a time, and one part is in memory.
final class StreamedList<Text: ListText>: BodySource {
    private struct State {
        var businesses: BusinessList
        var text: Text
        var isBegun = false
        var isEnded = false
    }

    private static var partSize: Int { 32 * 1024 }
    /// The most parts of the list that are visited at a time: few of the candidates may match.
    private static var workLimit: Int { 8 }
    private let state: Mutex<State>

    init(_ businesses: BusinessList, as text: Text) {
        state = Mutex(State(businesses: businesses, text: text))
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
                if let businesses = state.businesses.next() {
                    for business in businesses { state.text.append(business, to: &text) }
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
