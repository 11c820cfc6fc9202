import Synchronization

/// Memory that connections may occupy together: for the bodies of requests (`HTTPLimits.bodies`), where a body without
/// its share is refused, and for unsent output (`HTTPLimits.allOutput`), which is only counted.
///
/// A body reserves memory as its bytes arrive, not as announced: else a few slow clients could reserve the whole
/// budget. Even at the connection limit, first reservations leave half of the default budget free.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let reserved = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: Int { reserved.load(ordering: .relaxed) }

    var isScarce: Bool { bytes > limit / 2 }

    var isExhausted: Bool { bytes > limit }

    /// What is occupied already, or with a negative number released.
    func count(_ bytes: Int) {
        reserved.add(bytes, ordering: .relaxed)
    }

    /// nil when the budget is exhausted. Strangers leave an eighth of it to others.
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

/// One body's share of the budget, returned with the last reference to the request.
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

    /// False when the budget is exhausted. Called by the thread that reads the body.
    func grow(to count: Int) -> Bool {
        let more = count - bytes.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard budget.reserve(more, leaving: spare) else { return false }
        bytes.add(more, ordering: .relaxed)
        return true
    }
}

package struct BodyAdmission: Sendable {
    /// A longer body gets 413.
    package let limit: Int
    package let isOfStranger: Bool
    /// Then the body does not count against `HTTPLimits.bodies`. Released when the request is finished.
    package let permit: (any AnyObject & Sendable)?

    package init(limit: Int, isOfStranger: Bool = false, permit: (any AnyObject & Sendable)? = nil) {
        (self.limit, self.isOfStranger, self.permit) = (limit, isOfStranger, permit)
    }
}

/// When freed memory is returned to the system: some time after what clients occupy has fallen by half. The allocator
/// keeps what lies between blocks in use, for ever. Times are monotonic nanoseconds.
struct MemoryReturn {
    /// Returning less than this, in bytes, is not worth the time.
    private static let least = 4 * 1024 * 1024
    /// In which the rest of the clients may leave.
    private static let delay = 500_000_000

    private var peak = 0
    /// `Int.max` while memory has not fallen.
    private(set) var next = Int.max

    mutating func willFall(from bytes: Int, now: Int) {
        peak = max(peak, bytes)
        if next == .max { next = now + Self.delay }
    }

    /// To be called at `next`.
    mutating func isDue(_ bytes: Int, now: Int) -> Bool {
        guard now >= next else { return false }
        next = .max
        guard peak - bytes >= Self.least, bytes <= peak / 2 else { return false }
        peak = bytes
        return true
    }
}
