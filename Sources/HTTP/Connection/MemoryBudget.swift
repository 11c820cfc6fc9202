import Synchronization

/// Memory that connections may occupy together: for the bodies of requests (`HTTPLimits.bodies`), where a body without
/// its share is refused, and for unsent output (`HTTPLimits.allOutput`), which is only counted.
///
/// A body reserves memory as its bytes arrive, not as announced: announcing a length costs a client nothing, so a few
/// slow clients could otherwise reserve the whole budget for a long time. The first reservation is so small that even
/// at the connection limit half of the default budget stays free.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let reserved = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: Int { reserved.load(ordering: .relaxed) }

    var isScarce: Bool { bytes > limit / 2 }

    var isExhausted: Bool { bytes > limit }

    /// Counts memory that is occupied already, or with a negative number released.
    func count(_ bytes: Int) {
        reserved.add(bytes, ordering: .relaxed)
    }

    /// A lease of this many bytes; nil when the budget is exhausted. Strangers leave an eighth of it to others.
    func lease(_ bytes: Int, ofStranger: Bool = false) -> BodyLease? {
        let spare = ofStranger ? limit / 8 : 0
        return reserve(bytes, leaving: spare) ? BodyLease(self, bytes, leaving: spare) : nil
    }

    fileprivate func reserve(_ bytes: Int, leaving spare: Int) -> Bool {
        if reserved.add(bytes, ordering: .relaxed).newValue <= limit - spare { return true }
        release(bytes)
        return false
    }

    fileprivate func release(_ bytes: Int) {
        count(-bytes)
    }
}

/// One body's share of the budget. The share is returned when the last reference to the request is released: the lease
/// lives as long as the body.
final class BodyLease: Sendable {
    private let budget: MemoryBudget
    private let bytes: Atomic<Int>
    private let spare: Int

    fileprivate init(_ budget: MemoryBudget, _ bytes: Int, leaving spare: Int) {
        (self.budget, self.spare) = (budget, spare)
        self.bytes = Atomic(bytes)
    }

    deinit {
        budget.release(bytes.load(ordering: .relaxed))
    }

    /// Extends the share to this many bytes; false when the budget is exhausted. Called by the thread that reads the
    /// body.
    func grow(to count: Int) -> Bool {
        let more = count - bytes.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard budget.reserve(more, leaving: spare) else { return false }
        bytes.add(more, ordering: .relaxed)
        return true
    }
}

/// The decision about a body when the head of its request is complete.
package struct BodyAdmission: Sendable {
    /// The maximum number of bytes; a longer body gets 413.
    package let limit: Int
    /// Whether nobody knows who sends it.
    package let isOfStranger: Bool
    /// Another limit for the body, which then does not count against `HTTPLimits.bodies`. It is released when the
    /// request is finished.
    package let permit: (any AnyObject & Sendable)?

    package init(limit: Int, isOfStranger: Bool = false, permit: (any AnyObject & Sendable)? = nil) {
        (self.limit, self.isOfStranger, self.permit) = (limit, isOfStranger, permit)
    }
}

/// Decides when freed memory is returned to the system: the allocator keeps what lies between blocks in use, so after
/// many clients with unsent output have left, their memory would remain for ever.
///
/// It is due some time after the memory that clients occupy has fallen by half. Times are monotonic nanoseconds.
struct MemoryReturn {
    /// Returning less than this, in bytes, is not worth the time.
    private static let least = 4 * 1024 * 1024
    /// The time in which the rest of the clients may leave.
    private static let delay = 500_000_000

    private var peak = 0
    /// When `isDue` should be called next; `Int.max` while memory has not fallen.
    private(set) var next = Int.max

    /// Clients occupy so many bytes, and are about to occupy less.
    mutating func willFall(from bytes: Int, now: Int) {
        peak = max(peak, bytes)
        if next == .max { next = now + Self.delay }
    }

    /// Whether memory should be returned now; called at `next` with what clients occupy.
    mutating func isDue(_ bytes: Int, now: Int) -> Bool {
        guard now >= next else { return false }
        next = .max
        guard peak - bytes >= Self.least, bytes <= peak / 2 else { return false }
        peak = bytes
        return true
    }
}
