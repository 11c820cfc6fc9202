import JSON
import Synchronization

/// Admits one import at a time. Its body may take more memory than all others together, so it is outside their budget.
package final class ImportLimiter: Sendable {
    /// The permission to import. It ends when it is released, or with its last reference.
    package final class Permit: Sendable {
        private let limiter: ImportLimiter
        private let isReleased = Atomic<Bool>(false)

        fileprivate init(_ limiter: ImportLimiter) {
            self.limiter = limiter
        }

        deinit {
            release()
        }

        /// Admits the next import. Called before the response is sent, so that the client may send another one.
        package func release() {
            if !isReleased.exchange(true, ordering: .relaxed) { limiter.isTaken.store(false, ordering: .relaxed) }
        }
    }

    private let isTaken = Atomic<Bool>(false)

    package init() {}

    /// - Throws: `importRunning`.
    package func admit() throws(ServiceError) -> Permit {
        if isTaken.exchange(true, ordering: .relaxed) { throw .importRunning }
        return Permit(self)
    }
}

/// How far the import that runs has come, for those who wait for it.
package final class ImportProgress: Sendable {
    private struct State {
        let phase: String
        let done: Int
        let total: Int
    }

    private let state = Mutex<State?>(nil)

    package init() {}

    /// The import has come this far in a phase, such as `checking`; the numbers are those of records or bytes.
    package func update(_ phase: String, done: Int, of total: Int) {
        state.withLock { $0 = State(phase: phase, done: done, total: total) }
    }

    package func clear() {
        state.withLock { $0 = nil }
    }

    /// `{"phase":"checking","done":1024,"total":200000}`; the phase is null when no import runs.
    package var json: [UInt8] {
        let state = state.withLock(\.self)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("phase", state?.phase)
        writer.member("done", state?.done ?? 0)
        writer.member("total", state?.total ?? 0)
        writer.endObject()
        return writer.bytes
    }
}
