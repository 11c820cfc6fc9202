import Bytes
import Limits
import Platform
import Synchronization

/// Hashes and verifies passwords, one at a time and on a thread of its own, with a bounded queue, so that logins can
/// neither delay the rest of the server nor use up its memory.
///
/// Known clients go first; after four of them one unknown client has its turn, if it waits, so that known clients
/// cannot keep all others out. Within both lanes networks take turns. The thread exists only while there are jobs:
/// starting it costs little compared with a hash, and nothing has to be stopped.
package final class PasswordHasher: Sendable {
    private struct Job: Sendable {
        let number: Int
        let isWanted: @Sendable () -> Bool
        /// Returns the function that delivers the result.
        let run: @Sendable () -> @Sendable () -> Void
        let refuse: @Sendable (PasswordHashError) -> Void
    }

    private struct State {
        var known: FairQueue<Job>
        var strangers: FairQueue<Job>
        var knownInARow = 0
        var isWorking = false
        var lastNumber = 0

        mutating func next() -> Job? {
            let isTurnOfStrangers = known.isEmpty || knownInARow >= PasswordHasher.knownBeforeAStranger
            if isTurnOfStrangers, let job = strangers.popFirst() {
                knownInARow = 0
                return job
            }
            knownInARow += 1
            return known.popFirst()
        }
    }

    /// Beside the one that is being hashed; further ones are refused.
    package static let limitPerNetwork = 8
    /// In each lane: half a second's work.
    private static let queueLimit = 32
    private static let knownBeforeAStranger = 4

    private let cost: PasswordCost
    /// The hash of a random password, for accounts that do not exist.
    let dummy: PasswordHash
    private let state: Mutex<State>

    /// Takes as long as a hash.
    package init(
        cost: PasswordCost = .standard, limit: Int = queueLimit, limitPerNetwork: Int = limitPerNetwork
    ) throws(PasswordHashError) {
        self.cost = cost
        let random = try PasswordHash.failing { () throws(SystemError) in try RandomSource.bytes(32) }
        dummy = try .make(Password(Base64URL.encode(random)), cost: cost)
        let lane = FairQueue<Job>(limit: limit, limitPerNetwork: limitPerNetwork)
        state = Mutex(State(known: lane, strangers: lane))
    }

    package func hash(
        _ password: Password, in lane: PasswordLane, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(PasswordHashError) -> PasswordHash {
        let cost = cost
        return try await run(in: lane, isWanted: isWanted) { () throws(PasswordHashError) in
            try .make(password, cost: cost)
        }
    }

    /// Without a hash, for an account that does not exist, it returns false after the same work, so that the time does
    /// not reveal which accounts exist.
    package func verify(
        _ password: Password, against hash: PasswordHash?, in lane: PasswordLane,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(PasswordHashError) -> Bool {
        let dummy = dummy
        return try await run(in: lane, isWanted: isWanted) { () throws(PasswordHashError) in
            let isRight = try (hash ?? dummy).verify(password)
            return isRight && hash != nil
        }
    }

    var waitingCount: Int { state.withLock { $0.known.count + $0.strangers.count } }

    /// - Parameter isWanted: called when its turn has come; a job that is no longer wanted does not run.
    /// - Throws: the error of the job; `busy` when too many wait, `cancelled` when it is no longer wanted or the task
    ///   is cancelled before the job runs, `noThread`.
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
        // A task that is cancelled between this check and its enqueueing costs one unneeded hash.
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
            // Only now, so that a client with a result finds its former slot free.
            handOver()
        }
    }
}

package struct PasswordLane: Sendable, Hashable {
    let isKnown: Bool
    let network: [UInt8]

    /// Of a client that is authenticated, or that logs in from a network from which the account has logged in before.
    package static func known(_ network: [UInt8]) -> PasswordLane { PasswordLane(isKnown: true, network: network) }

    /// Of all other clients; `site` is the larger network of the client's address.
    package static func stranger(_ site: [UInt8]) -> PasswordLane { PasswordLane(isKnown: false, network: site) }
}
