import HTTP
import Synchronization

/// The writes that are under way, bounded: whoever asks for more than the disk takes is told at once, instead of
/// waiting ever longer and filling the memory with what waits.
///
/// What comes over the socket in the data folder is not counted: administration must get through when the town does
/// not.
public final class WriteQueue: Sendable {
    /// A write that was let in. It leaves when it is told to, or when nobody holds it any more.
    final class Place: Sendable {
        private let queue: WriteQueue
        private let bytes: Int
        private let deadline: Int
        private let hasLeft = Atomic<Bool>(false)

        fileprivate init(_ queue: WriteQueue, bytes: Int, deadline: Int) {
            (self.queue, self.bytes, self.deadline) = (queue, bytes, deadline)
        }

        deinit {
            leave()
        }

        /// Makes room for another; before the answer is sent, so that who has it may ask for the next write.
        func leave() {
            if !hasLeft.exchange(true, ordering: .relaxed) { queue.leave(bytes) }
        }

        /// Whether its client may still be waiting, as far as time goes.
        var isInTime: Bool { queue.clock.monotonic() < deadline }
    }

    private struct State {
        var count = 0
        var bytes = 0
    }

    private let limit: Int
    private let byteLimit: Int
    private let patience: Int
    private let clock: TimeSource
    private let state = Mutex(State())

    /// A queue in which nothing waits.
    ///
    /// - Parameters:
    ///   - clock: decides by its monotonic time what has waited too long.
    ///   - limit: the most writes under way.
    ///   - byteLimit: the most bytes that their bodies have together.
    ///   - patience: how many seconds a write may wait before it is begun.
    public init(clock: TimeSource, limit: Int = 4096, byteLimit: Int = 16 << 20, patience: Int = 5) {
        (self.clock, self.limit, self.byteLimit) = (clock, limit, byteLimit)
        self.patience = patience * 1_000_000_000
    }

    /// The writes under way.
    var count: Int { state.withLock { $0.count } }

    /// Whether there is room for a write with a body of so many bytes.
    func hasRoom(for bytes: Int) -> Bool { state.withLock { hasRoom(for: bytes, $0) } }

    /// Lets a write in.
    ///
    /// - Throws: 503 `overloaded` with `Retry-After`, when there is no room.
    func enter(bytes: Int) throws(HTTPError) -> Place {
        let isLetIn = state.withLock { state in
            guard hasRoom(for: bytes, state) else { return false }
            state.count += 1
            state.bytes += bytes
            return true
        }
        guard isLetIn else { throw .overloaded }
        return Place(self, bytes: bytes, deadline: clock.monotonic() + patience)
    }

    private func hasRoom(for bytes: Int, _ state: State) -> Bool {
        state.count < limit && bytes <= byteLimit - state.bytes
    }

    private func leave(_ bytes: Int) {
        state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
        }
    }
}
