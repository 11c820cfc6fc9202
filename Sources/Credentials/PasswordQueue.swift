import Platform
import Synchronization

/// Does one piece of work at a time on a thread of its own, lets a few wait, and refuses more.
///
/// Work for people who are known goes first; after four pieces of it comes one for a stranger, when one waits, so that
/// nobody who is known can keep all others out. Among themselves both lanes go by networks in turn.
///
/// The thread is there only while there is work: starting it costs nothing beside a hash, and nothing need be stopped.
final class PasswordQueue: Sendable {
    private struct Job: Sendable {
        let number: Int
        /// Whether anybody still waits for the result.
        let isWanted: @Sendable () -> Bool
        /// Does the work, and returns what hands over its result.
        let run: @Sendable () -> @Sendable () -> Void
        let refuse: @Sendable (PasswordHashError) -> Void
    }

    private struct State {
        var known: FairQueue<Job>
        var strangers: FairQueue<Job>
        /// The pieces of work in a row that were for people who are known.
        var knownInARow = 0
        var isWorking = false
        var lastNumber = 0

        mutating func next() -> Job? {
            let isTurnOfStrangers = known.isEmpty || knownInARow >= PasswordQueue.knownBeforeAStranger
            if isTurnOfStrangers, let job = strangers.popFirst() {
                knownInARow = 0
                return job
            }
            knownInARow += 1
            return known.popFirst()
        }
    }

    private static let knownBeforeAStranger = 4

    private let state: Mutex<State>

    /// In each of the two lanes `limit` pieces of work may wait, and `limitPerNetwork` of one network, beside the one
    /// that is being done.
    init(limit: Int, limitPerNetwork: Int) {
        let lane = FairQueue<Job>(limit: limit, limitPerNetwork: limitPerNetwork)
        state = Mutex(State(known: lane, strangers: lane))
    }

    /// The pieces of work that wait.
    var waitingCount: Int { state.withLock { $0.known.count + $0.strangers.count } }

    /// Does a piece of work when its turn comes.
    ///
    /// - Parameters:
    ///   - lane: for whom it is.
    ///   - isWanted: asked when its turn has come; what nobody waits for any more is not begun.
    /// - Throws: what the work throws; `busy` when too many wait, `cancelled` when it is not wanted any more, or the
    ///   task is cancelled before the work begins, `noThread`.
    func run<Value: Sendable>(
        in lane: PasswordLane, isWanted: @escaping @Sendable () -> Bool = { true },
        _ work: @escaping @Sendable () throws(PasswordHashError) -> Value
    ) async throws(PasswordHashError) -> Value {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiting: CheckedContinuation<Result<Value, PasswordHashError>, Never>) in
                enqueue(
                    Job(
                        number: number, isWanted: isWanted,
                        run: {
                            let result = Result(catching: work)
                            return { waiting.resume(returning: result) }
                        },
                        refuse: { waiting.resume(returning: .failure($0)) }), in: lane)
            }
        } onCancel: {
            cancel(number)
        }
        return try result.get()
    }

    private func enqueue(_ job: Job, in lane: PasswordLane) {
        // A task that is cancelled between this look and its place in the queue costs a hash that nobody wants.
        guard !Task.isCancelled else { return job.refuse(.cancelled) }
        let refused: (job: Job, error: PasswordHashError)? = state.withLock { state in
            if state.isWorking {
                let outcome =
                    lane.isKnown
                    ? state.known.append(job, of: lane.network) : state.strangers.append(job, of: lane.network)
                switch outcome {
                case .added: return nil
                case .displaced(let other): return (other, .busy)
                case .refused: return (job, .busy)
                }
            }
            do throws(SystemError) {
                try Thread.start(name: "password") { [self] in work(from: job) }
                state.isWorking = true
                return nil
            } catch {
                return (job, .noThread(code: error.code))
            }
        }
        if let refused { refused.job.refuse(refused.error) }
    }

    private func cancel(_ number: Int) {
        let job: Job? = state.withLock { state in
            state.known.removeFirst { $0.number == number } ?? state.strangers.removeFirst { $0.number == number }
        }
        job?.refuse(.cancelled)
    }

    private func work(from first: Job) {
        var next: Job? = first
        while let job = next {
            let handOver = job.isWanted() ? job.run() : { job.refuse(.cancelled) }
            next = state.withLock { state in
                let job = state.next()
                state.isWorking = job != nil
                return job
            }
            // Only now, so that who has an answer finds the place free that he had.
            handOver()
        }
    }
}

/// Where a password waits to be hashed: who is known goes first, and everybody shares a lane by networks in turn.
public struct PasswordLane: Sendable, Hashable {
    let isKnown: Bool
    let network: [UInt8]

    /// The lane of somebody who has proved who they are, or who logs in from where they have logged in before.
    ///
    /// - Parameter network: what stands for the client's address.
    public static func known(_ network: [UInt8]) -> PasswordLane { PasswordLane(isKnown: true, network: network) }

    /// The lane of everybody else.
    ///
    /// - Parameter site: what stands for the larger network that the client's address is in.
    public static func stranger(_ site: [UInt8]) -> PasswordLane { PasswordLane(isKnown: false, network: site) }
}
