import CSystem
import Glibc

/// Suspends one thread until another wakes it; see `Wakeup` for a thread that also waits for descriptors. A condition
/// variable with its mutex would cost the woken thread another call.
package final class Semaphore: Sendable {
    /// The C type must stay at one address. `UnsafeMutablePointer` is not `Sendable`.
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

    package func signal() {
        sem_post(storage)
    }

    /// A signal of the system may end it early.
    package func wait() {
        sem_wait(storage)
    }

    /// False when the time has passed.
    ///
    /// - Parameter isWallTime: whether it also ends when the clock of the machine is set past that time.
    @discardableResult
    package func wait(milliseconds: Int, isWallTime: Bool = false) -> Bool {
        let clock = isWallTime ? CLOCK_REALTIME : CLOCK_MONOTONIC
        var end = timespec()
        clock_gettime(clock, &end)
        end.tv_sec += milliseconds / 1000
        end.tv_nsec += milliseconds % 1000 * 1_000_000
        if end.tv_nsec >= 1_000_000_000 {
            end.tv_sec += 1
            end.tv_nsec -= 1_000_000_000
        }
        return sem_clockwait(storage, clock, &end) == 0
    }
}

/// A descriptor that is readable from a signal of another thread until it is cleared.
package struct Wakeup: ~Copyable, Sendable {
    private let owned: OwnedDescriptor

    package init() throws(SystemError) {
        let number = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        if number < 0 { throw .last("eventfd") }
        owned = OwnedDescriptor(number)
    }

    package var descriptor: FileDescriptor { owned.descriptor }

    /// From any thread.
    package func signal() {
        var one: UInt64 = 1
        // The only other error is a full counter, which wakes too.
        _ = try? SystemError.retryingInterrupts { write(descriptor.number, &one, MemoryLayout.size(ofValue: one)) }
    }

    /// False after the timeout; -1 for none.
    package func wait(milliseconds: Int32) -> Bool {
        let ready = try? descriptor.wait(for: .readable, milliseconds: milliseconds)
        return ready != []
    }

    package func clear() {
        var count: UInt64 = 0
        _ = try? SystemError.retryingInterrupts { read(descriptor.number, &count, MemoryLayout.size(ofValue: count)) }
    }
}
