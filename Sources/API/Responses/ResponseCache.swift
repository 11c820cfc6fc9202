import Bytes
import HTTP
import Synchronization

/// Responses to reads, stored as long as they are valid.
///
/// The response to somebody without an account follows from the public revision of the town, the target and the time. So
/// a response is sent again for the same target, until the revision changes or the response expires; nothing has to be
/// removed by name.
///
/// Targets are distributed over sets by their digest. A set holds a few responses, of which the one that was stored
/// first is replaced: a walk through a million pages needs no more memory than the table, and a lookup compares a
/// few targets at most.
final class ResponseCache: Sendable {
    private final class Entry: Sendable {
        let target: [UInt8]
        let revision: Int
        let moments: ClosedRange<Timestamp>
        let response: Response

        init(target: [UInt8], revision: Int, moments: ClosedRange<Timestamp>, response: Response) {
            (self.target, self.revision, self.moments, self.response) = (target, revision, moments, response)
        }

        /// Whether it is of a target. Slices are compared byte by byte, which takes 300 instructions more.
        func isResponse(to other: ArraySlice<UInt8>) -> Bool {
            target.withUnsafeBufferPointer { target in
                other.withUnsafeBufferPointer { target.bytewiseOrder(to: $0) == 0 }
            }
        }

        var size: Int { target.count + response.body.count }
    }

    private struct Table {
        var entries: [Entry?] = []
        /// Which entry of each set is replaced next.
        var oldest: [UInt8] = []
        var size = 0

        /// The place in a set that is filled next: each in turn.
        mutating func next(in set: Int) -> Int {
            defer { oldest[set] = (oldest[set] + 1) % UInt8(ways) }
            return set * ways + Int(oldest[set])
        }
    }

    /// How many sets there are; a power of two.
    private static let sets = 256
    /// How many responses a set holds: of the contract's 157 targets then nearly all have a place.
    private static let ways = 4
    /// The most bytes that all stored responses hold.
    private let sizeLimit: Int
    private let table = Mutex(Table())

    /// An empty cache.
    ///
    /// - Parameter sizeLimit: the most bytes that the responses hold together; none holds more than a 64th of it.
    init(sizeLimit: Int = 8 << 20) {
        self.sizeLimit = sizeLimit
    }

    /// The stored response to a target, if it is valid for a revision at a moment.
    func response(to target: ArraySlice<UInt8>, of revision: Int, at now: Timestamp) -> Response? {
        let first = Self.place(of: target)
        let entry = table.withLock { table in
            table.entries.isEmpty
                ? nil
                : table.entries[first..<(first + Self.ways)].lazy.compactMap(\.self).first { $0.isResponse(to: target) }
        }
        guard let entry, entry.revision == revision, entry.moments.contains(now) else { return nil }
        return entry.response
    }

    /// Stores the response to a target, in the place of an earlier one.
    ///
    /// - Parameter moments: when it is valid.
    func store(
        _ response: Response, to target: ArraySlice<UInt8>, of revision: Int, for moments: ClosedRange<Timestamp>
    ) {
        guard case .bytes = response.content else { return }
        let entry = Entry(target: Array(target), revision: revision, moments: moments, response: response)
        guard entry.size <= sizeLimit / 64 else { return }
        let first = Self.place(of: target)
        table.withLock { table in
            if table.size + entry.size > sizeLimit { table = Table() }
            if table.entries.isEmpty {
                table.entries = Array(repeating: nil, count: Self.sets * Self.ways)
                table.oldest = Array(repeating: 0, count: Self.sets)
            }
            let same = (first..<(first + Self.ways)).first { table.entries[$0]?.isResponse(to: target) == true }
            let place = same ?? table.next(in: first / Self.ways)
            table.size += entry.size - (table.entries[place]?.size ?? 0)
            table.entries[place] = entry
        }
    }

    /// Where the set of a target begins.
    private static func place(of target: ArraySlice<UInt8>) -> Int {
        (Int(truncatingIfNeeded: XXH64.digest(target.span)) & (sets - 1)) * ways
    }
}
