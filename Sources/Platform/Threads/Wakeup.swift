import CSystem
import Glibc

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
