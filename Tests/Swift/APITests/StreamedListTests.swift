import HTTP
import Synchronization
import Testing

@testable import API

/// A whole list is sent in parts, for each of which few records are visited, whether they match or not.
@Suite struct StreamedListTests {
    /// Numbers, of which some match.
    private struct Numbers: RecordParts {
        var next = 0
        let count: Int
        let isMatch: @Sendable (Int) -> Bool
        let visited: Visits

        mutating func next(visiting most: Int) -> [Int]? {
            if next == count { return nil }
            let range = next..<min(count, next + most)
            next = range.upperBound
            visited.counts.withLock { $0.append(range.count) }
            return range.filter(isMatch)
        }
    }

    private final class Visits: Sendable {
        let counts = Mutex<[Int]>([])
    }

    private struct Digits: ListText {
        let recordsAtATime = 128
        private var text: [UInt8] = []

        func begin() {}
        mutating func append(_ record: Int) { text.append(UInt8(ascii: "x")) }
        func end() {}

        mutating func take() -> [UInt8] {
            defer { text = [] }
            return text
        }
    }

    @Test(arguments: [1, 7, 100_000]) func fewRecordsAtATime(every: Int) {
        let visits = Visits()
        let numbers = Numbers(count: 5_000, isMatch: { $0 % every == 0 }, visited: visits)
        let list = StreamedList(numbers, as: Digits())
        let woken = Mutex(0)
        var (size, calls) = (0, 0)
        body: while true {
            let before = visits.counts.withLock { $0.reduce(0, +) }
            switch list.next(BodyWakeup { woken.withLock { $0 += 1 } }) {
            case .bytes(let bytes): size += bytes.count
            case .pending: break
            case .end, .failed: break body
            }
            calls += 1
            #expect(visits.counts.withLock { $0.reduce(0, +) } - before <= 128)
        }
        #expect(size == (5_000 + every - 1) / every && calls >= 40)
        // Without bytes the list asks to be called again.
        #expect(woken.withLock { $0 } >= (every > 1_000 ? 38 : 0))
    }
}
