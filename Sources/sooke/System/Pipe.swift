#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A pipe that carries nothing but the fact that something happened.
struct Pipe: ~Copyable, Sendable {
    private let readEnd: OwnedDescriptor
    private let writeEnd: OwnedDescriptor

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        _ = try SystemError.retryingInterrupts { pipe(&ends) }
        readEnd = OwnedDescriptor(ends[0])
        writeEnd = OwnedDescriptor(ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    /// A full pipe tells it just as well.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd.descriptor.number, &byte, 1)
    }

    /// Whether it happened before the time was over; -1 waits for ever.
    func wait(milliseconds: Int32) -> Bool {
        let ready = try? readEnd.descriptor.wait(for: Int16(POLLIN), milliseconds: milliseconds)
        return ready != 0
    }

    func clear() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(readEnd.descriptor.number, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
    }
}
