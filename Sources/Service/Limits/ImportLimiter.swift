import Synchronization

/// Admits one import at a time. Its body may take more memory than all others together, so it is outside their budget.
public final class ImportLimiter: Sendable {
    /// The permission to import. It ends when it is released, or with its last reference.
    public final class Permit: Sendable {
        private let limiter: ImportLimiter
        private let isReleased = Atomic<Bool>(false)

        fileprivate init(_ limiter: ImportLimiter) {
            self.limiter = limiter
        }

        deinit {
            release()
        }

        /// Admits the next import. Called before the response is sent, so that the client may send another one.
        public func release() {
            if !isReleased.exchange(true, ordering: .relaxed) { limiter.isTaken.store(false, ordering: .relaxed) }
        }
    }

    private let isTaken = Atomic<Bool>(false)

    /// A limiter without an import.
    public init() {}

    /// Admits an import.
    ///
    /// - Throws: `importRunning`.
    public func admit() throws(ServiceError) -> Permit {
        if isTaken.exchange(true, ordering: .relaxed) { throw .importRunning }
        return Permit(self)
    }
}
