import Journal
import Synchronization

/// A piece of work that a thread of its own does while the caller does another.
struct Beside<Result: Sendable> {
    private final class Place: Sendable {
        let result = Mutex<Result?>(nil)
    }

    private let work: @Sendable () -> Result
    private let thread: CommitThread?
    private let place = Place()

    /// Begins the work.
    ///
    /// - Parameter isWorthIt: whether a thread is made for it; else it is done when its result is asked for.
    init(isWorthIt: Bool, _ work: @escaping @Sendable () -> Result) {
        self.work = work
        thread = isWorthIt ? CommitThread(name: "beside") : nil
        guard let thread else { return }
        thread.start {}
        thread.enqueue { [place] in
            let result = work()
            place.result.withLock { $0 = result }
        }
    }

    /// Waits for the work; to be asked once.
    func result() -> Result {
        thread?.stop()
        return place.result.withLock { $0 } ?? work()
    }
}
