import HTTP
import Synchronization

/// Lets in one import at a time. Its body may take more memory than all others together, so it is outside the budget
/// for these (`HTTPLimits.bodies`).
final class ImportLimiter: Sendable {
    /// The right to import. It ends when it is released, or when nobody holds it any more.
    final class Permit: Sendable {
        private let limiter: ImportLimiter
        private let isReleased = Atomic<Bool>(false)

        fileprivate init(_ limiter: ImportLimiter) {
            self.limiter = limiter
        }

        deinit {
            release()
        }

        /// Lets the next import in; before the answer is sent, so that whoever gets it may send another.
        func release() {
            if !isReleased.exchange(true, ordering: .relaxed) { limiter.isTaken.store(false, ordering: .relaxed) }
        }
    }

    private let isTaken = Atomic<Bool>(false)

    /// Lets an import in.
    ///
    /// - Throws: 503 `import_running` with `Retry-After`.
    func enter() throws(HTTPError) -> Permit {
        if isTaken.exchange(true, ordering: .relaxed) { throw .importRunning }
        return Permit(self)
    }
}

extension HTTPError {
    /// 503 `import_running`, with `Retry-After`.
    fileprivate static let importRunning = HTTPError(
        .serviceUnavailable, code: "import_running",
        message: "another import is running, or its file is being sent; try again when it has ended",
        headers: ["Retry-After": "10"])
}
