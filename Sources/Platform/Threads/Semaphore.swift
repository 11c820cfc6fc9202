import Glibc

/// Lets one thread sleep until another wakes it: a semaphore, since a condition variable and its mutex cost the one who
/// is woken another call. See `Wakeup` for a thread that waits for descriptors too.
package final class Semaphore: Sendable {
    /// The C type lives at one address from its making to its end; only its functions touch what is behind it.
    private nonisolated(unsafe) let storage: UnsafeMutablePointer<sem_t>

    package init() {
        storage = .allocate(capacity: 1)
        storage.initialize(to: sem_t())
        sem_init(storage, 0, 0)
    }

    deinit {
        sem_destroy(storage)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Wakes the thread that waits, or the next that will.
    package func signal() {
        sem_post(storage)
    }

    /// Waits for `signal`, unless it was called since the last time. A signal of the system may end it early.
    package func wait() {
        sem_wait(storage)
    }
}
