import CSystem
import Glibc

/// A descriptor that becomes readable when another thread signals, and stays so until it is cleared.
package struct Wakeup: ~Copyable, Sendable {
    private let owned: OwnedDescriptor

    /// One that is not signalled.
    package init() throws(SystemError) {
        let number = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        if number < 0 { throw .last("eventfd") }
        owned = OwnedDescriptor(number)
    }

    /// What to watch for reading.
    package var descriptor: FileDescriptor { owned.descriptor }

    /// Wakes who waits, from any thread.
    package func signal() {
        // A full counter wakes just as well.
        var one: UInt64 = 1
        _ = write(descriptor.number, &one, MemoryLayout.size(ofValue: one))
    }

    /// Whether it was signalled before the time was over; -1 waits for ever.
    package func wait(milliseconds: Int32) -> Bool {
        let ready = try? descriptor.wait(for: .readable, milliseconds: milliseconds)
        return ready != []
    }

    /// Takes back all signals so far.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.number, &count, MemoryLayout.size(ofValue: count))
    }
}
