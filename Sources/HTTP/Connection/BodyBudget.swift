import Synchronization

/// The memory that the bodies of requests may take together, but for small ones; see `HTTPLimits.bodies`.
///
/// A body reserves what it needs as its bytes arrive, not what it announces: to announce a length costs its sender
/// nothing, so a few slow clients could otherwise claim the whole budget for a long time. The first reservation is so
/// small that even as many claims as there may be connections leave half of the default budget free.
final class BodyBudget: Sendable {
    private let limit: Int
    private let reserved = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes reserved at the moment.
    var bytes: Int { reserved.load(ordering: .relaxed) }

    /// A lease on so many bytes; nil when there is no room.
    func lease(_ bytes: Int) -> BodyLease? {
        reserve(bytes) ? BodyLease(self, bytes) : nil
    }

    fileprivate func reserve(_ bytes: Int) -> Bool {
        if reserved.add(bytes, ordering: .relaxed).newValue <= limit { return true }
        release(bytes)
        return false
    }

    fileprivate func release(_ bytes: Int) {
        reserved.subtract(bytes, ordering: .relaxed)
    }
}

/// One body's share of the budget. It is given back when nobody holds the request any more: the lease lives as long as
/// the body.
final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let bytes: Atomic<Int>

    fileprivate init(_ budget: BodyBudget, _ bytes: Int) {
        self.budget = budget
        self.bytes = Atomic(bytes)
    }

    deinit {
        budget.release(bytes.load(ordering: .relaxed))
    }

    /// Reserves more, so that the share has so many bytes; false when there is no room. Called by the thread that reads
    /// the body.
    func grow(to count: Int) -> Bool {
        let more = count - bytes.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard budget.reserve(more) else { return false }
        bytes.add(more, ordering: .relaxed)
        return true
    }
}

/// What is decided about a body when the head of its request is complete.
public struct BodyAdmission: Sendable {
    /// The most bytes that it may have; more answers 413.
    public let limit: Int
    /// Something else that bounds the body, which then does not count against `HTTPLimits.bodies`. It is held until the
    /// request is finished.
    public let permit: (any AnyObject & Sendable)?

    /// Admits a body.
    public init(limit: Int, permit: (any AnyObject & Sendable)? = nil) {
        (self.limit, self.permit) = (limit, permit)
    }
}
