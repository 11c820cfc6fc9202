import HTTP
import Store

/// What a route will do to the town: the body of a transaction that makes the answer, too.
struct PlannedChange: Sendable {
    /// What is kept of the answer to a request with an `Idempotency-Key`.
    enum Keeping: Sendable {
        /// All of it.
        case answer
        /// Nothing of what it says, since it holds a secret: who asks twice learns that it was done.
        case thatItWasDone
        /// Nothing at all, since the request holds a password, and its digest would let it be guessed. Doing it twice
        /// comes to the same.
        case nothing
    }

    let keeping: Keeping
    let body: @Sendable (inout Edit) throws -> Response

    /// A change; `keeping` says what is kept for the key.
    init(keeping: Keeping = .answer, _ body: @escaping @Sendable (inout Edit) throws -> Response) {
        (self.keeping, self.body) = (keeping, body)
    }
}
