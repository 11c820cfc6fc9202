import Bytes
import HTTP
import Synchronization

/// A cache of responses to reads, by their targets.
///
/// A response to a client without an account depends on the public revision of the town, the target and the time. So it
/// is valid for the same target until the revision changes or the response expires; no entry has to be invalidated by
/// name. The entries are all of one revision, and a newer one empties the cache; so does a response for which there is
/// no room.
final class ResponseCache: Sendable {
    private struct Entry {
        let response: Response
        let moments: ClosedRange<Timestamp>
    }

    private struct Target: Hashable {
        let bytes: ArraySlice<UInt8>
        let isCoded: Bool

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            hasher.combine(isCoded)
        }

        /// Comparing slices byte by byte would take 300 instructions more.
        static func == (left: Target, right: Target) -> Bool {
            left.isCoded == right.isCoded
                && left.bytes.withUnsafeBufferPointer { left in
                    right.bytes.withUnsafeBufferPointer { left.bytewiseOrder(to: $0) == 0 }
                }
        }
    }

    private struct Table {
        var entries: [Target: Entry] = [:]
        var revision = 0
        var size = 0
    }

    /// About, besides the target and the body.
    static let overhead = 640
    private let sizeLimit: Int
    private let table = Mutex(Table())

    /// One entry may have up to a 64th of it.
    init(sizeLimit: Int = 8 << 20) {
        self.sizeLimit = sizeLimit
    }

    func response(to target: ArraySlice<UInt8>, isCoded: Bool = false, of revision: Int, at now: Timestamp) -> Response?
    {
        table.withLock { table in
            guard table.revision == revision, let entry = table.entries[Target(bytes: target, isCoded: isCoded)],
                entry.moments.contains(now)
            else { return nil }
            return entry.response
        }
    }

    func store(
        _ response: Response, to target: ArraySlice<UInt8>, isCoded: Bool = false, of revision: Int,
        for moments: ClosedRange<Timestamp>
    ) {
        guard case .bytes(let body) = response.content else { return }
        let size = Self.overhead + target.count + body.count
        guard size <= sizeLimit / 64 else { return }
        let entry = Entry(response: response, moments: moments)
        // A copy: the slice would keep the whole request.
        let target = Target(bytes: Array(target)[...], isCoded: isCoded)
        let removed: Table? = table.withLock { table in
            if table.revision > revision { return nil }
            var removed: Table?
            if table.revision < revision || table.size + size > sizeLimit {
                removed = table
                table = Table(revision: revision)
            }
            if let earlier = table.entries.updateValue(entry, forKey: target) {
                table.size -= Self.overhead + target.bytes.count + earlier.response.body.count
            }
            table.size += size
            return removed
        }
        // After the lock: there may be thousands.
        withExtendedLifetime(removed) {}
    }
}
