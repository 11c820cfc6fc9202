import Bytes
import HTTP
import Synchronization

/// Answers to reads, kept as long as they are true.
///
/// What somebody without an account is answered follows from the version of the town, the target and the time. So an
/// answer that was put together once is sent again to whoever asks for the same, until the next version is published
/// or its time is over; nothing has to be thrown away by name.
///
/// Each target has one place in a table by its digest, and the last one that came takes it: a walk through a million
/// pages costs no more memory than the table, and nobody can make a lookup slow.
final class AnswerCache: Sendable {
    private final class Entry: Sendable {
        let target: [UInt8]
        let sequence: Int
        let moments: ClosedRange<Timestamp>
        let response: Response

        init(target: [UInt8], sequence: Int, moments: ClosedRange<Timestamp>, response: Response) {
            (self.target, self.sequence, self.moments, self.response) = (target, sequence, moments, response)
        }

        /// Whether it answers a target. Slices are compared byte by byte, which takes 300 instructions more.
        func isAnswer(to other: ArraySlice<UInt8>) -> Bool {
            target.withUnsafeBufferPointer { target in
                other.withUnsafeBufferPointer { target.bytewiseOrder(to: $0) == 0 }
            }
        }

        var size: Int { target.count + response.body.count }
    }

    private struct Table {
        var entries: [Entry?] = []
        var size = 0
    }

    /// How many answers are kept at most; a power of two.
    private static let places = 1024
    /// The most bytes that all kept answers hold.
    private let sizeLimit: Int
    private let table = Mutex(Table())

    /// Nothing kept yet.
    ///
    /// - Parameter sizeLimit: the most bytes that the kept answers hold together; none holds more than a 64th of it.
    init(sizeLimit: Int = 8 << 20) {
        self.sizeLimit = sizeLimit
    }

    /// The kept answer to a target, if it is still the answer of a version at a moment.
    func answer(to target: ArraySlice<UInt8>, of sequence: Int, at now: Timestamp) -> Response? {
        let place = Self.place(of: target)
        let kept = table.withLock { $0.entries.isEmpty ? nil : $0.entries[place] }
        guard let kept, kept.sequence == sequence, kept.moments.contains(now), kept.isAnswer(to: target)
        else { return nil }
        return kept.response
    }

    /// Keeps an answer of a version to a target.
    ///
    /// - Parameter moments: when it is the answer.
    func keep(
        _ response: Response, to target: ArraySlice<UInt8>, of sequence: Int, for moments: ClosedRange<Timestamp>
    ) {
        let entry = Entry(target: Array(target), sequence: sequence, moments: moments, response: response)
        guard entry.size <= sizeLimit / 64 else { return }
        let place = Self.place(of: target)
        table.withLock { table in
            if table.size + entry.size > sizeLimit { table = Table() }
            if table.entries.isEmpty { table.entries = Array(repeating: nil, count: Self.places) }
            table.size += entry.size - (table.entries[place]?.size ?? 0)
            table.entries[place] = entry
        }
    }

    private static func place(of target: ArraySlice<UInt8>) -> Int {
        Int(truncatingIfNeeded: XXH64.digest(target.span)) & (places - 1)
    }
}
