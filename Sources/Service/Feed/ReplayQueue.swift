import Bytes
import Credentials
import Platform
import Store
import Synchronization

/// Does the long work of the feed, such as reading parts of the log: one piece at a time, on a thread of the lowest
/// priority.
///
/// Anyone may name an old position, and so make the server read. Therefore networks take turns, and commits and
/// responses wait for none of it.
///
/// The thread exists only while there is work.
public final class ReplayQueue: Sendable {
    private struct Piece: Sendable {
        /// Whether a client still waits for the result.
        let isWanted: @Sendable () -> Bool
        let run: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct State {
        var waiting: FairQueue<Piece>
        var isWorking = false
    }

    private let state: Mutex<State>

    /// No work.
    ///
    /// - Parameter limit: the most pieces that may wait.
    init(limit: Int) {
        state = Mutex(State(waiting: FairQueue(limit: limit, limitPerNetwork: limit)))
    }

    /// The number of pieces that wait, beside the one that is being done.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Does a piece of work when its turn comes.
    ///
    /// - Parameters:
    ///   - network: the network of the client.
    ///   - isWanted: called when its turn has come; a piece that is no longer wanted is not done.
    /// - Throws: the error of the work; `ServiceError.overloaded` when too many wait, or it is no longer wanted.
    public func run<Value: Sendable>(
        for network: ClientNetwork, isWanted: @escaping @Sendable () -> Bool,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (result: CheckedContinuation<Value, any Error>) in
            enqueue(
                Piece(
                    isWanted: isWanted, run: { result.resume(with: Result(catching: work)) },
                    refuse: { result.resume(throwing: ServiceError.overloaded) }),
                for: network)
        }
    }

    private func enqueue(_ piece: Piece, for network: ClientNetwork) {
        let refused = state.withLock { state -> Piece? in
            switch state.waiting.append(piece, of: network.bytes) {
            case .added: break
            case .displaced(let other): return other
            case .refused: return piece
            }
            if state.isWorking { return nil }
            do throws(SystemError) {
                try Thread.start(name: "replay") { [self] in work() }
                state.isWorking = true
                return nil
            } catch {
                return state.waiting.popFirst()
            }
        }
        refused?.refuse()
    }

    private func work() {
        Thread.lowerPriority()
        while let piece = next() {
            if piece.isWanted() { piece.run() } else { piece.refuse() }
        }
    }

    private func next() -> Piece? {
        state.withLock { state in
            let piece = state.waiting.popFirst()
            state.isWorking = piece != nil
            return piece
        }
    }
}
