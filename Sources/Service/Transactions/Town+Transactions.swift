import Credentials
import SookeModel
import Store

extension Town {
    /// Runs a transaction, and calls back on the commit thread when its changes are on stable storage.
    ///
    /// - Parameter isWanted: whether the client still waits for the response when the transaction gets its turn; if
    ///   not, the transaction is dropped.
    public func run<Result: Sendable>(
        _ transaction: Transaction<Result>, isWanted: @escaping @Sendable () -> Bool = { true },
        then done: @escaping @Sendable (Swift.Result<Result, ServiceError>) -> Void
    ) {
        let body = transaction.body
        store.writer.write(by: transaction.author) { transaction in
            if !isWanted() { throw ServiceError.overloaded }
            return try body(&transaction)
        } then: { result in
            done(result.mapError(ServiceError.init(_:)))
        }
    }

    /// Runs a transaction and waits until its changes are on stable storage.
    public func run<Result: Sendable>(
        _ transaction: Transaction<Result>, for context: RequestContext
    ) async throws(ServiceError) -> Result {
        let result = await withCheckedContinuation { continuation in
            run(transaction, isWanted: context.isWanted) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// The transaction of a use case that runs once for all requests with the same idempotency key.
    func once<Result: RepeatableResult>(
        for context: RequestContext, _ access: Access, at slug: Slug? = nil,
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) -> Transaction<Result> {
        Transaction(once: context, steadyClock, access, at: slug, body)
    }
}

extension ServiceError {
    /// Translates an error of lower layers.
    public init(_ error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as WriteError: self.init(error)
        case let error as FieldProblems: self = .invalid(error)
        case StoreError.diskFull: self = .diskFull
        case StoreError.noRoomForSnapshot: self = .noRoomForSnapshot
        case StoreError.snapshotNotTaken: self = .snapshotFailed
        case is StoreError, is PasswordHashError, is CancellationError: self = .overloaded
        default: self = .internalError
        }
    }

    private init(_ error: WriteError) {
        switch error {
        case .invalid(let problems): self = .invalid(problems)
        case .taken(let slug): self = .slugTaken(slug)
        case .nameTaken(let name): self = .nameTaken(name)
        case .inUse(let count): self = .inUse(count: count)
        case .notFound: self = .notFound(.address)
        }
    }
}
