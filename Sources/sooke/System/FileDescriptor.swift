#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The number of an open file, pipe or socket. Does not own it: see `OwnedDescriptor`.
struct FileDescriptor: Sendable, Equatable {
    let number: Int32

    static let standardInput = FileDescriptor(number: STDIN_FILENO)
    static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    static let standardError = FileDescriptor(number: STDERR_FILENO)

    /// Whether a person is at the other end.
    var isTerminal: Bool { isatty(number) == 1 }

    /// The length of a regular file; nil for a pipe, a socket or a device.
    var regularFileLength: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// When a regular file was written last; nil for anything else.
    var regularFileTime: timespec? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            return status.st_mtimespec
        #else
            return status.st_mtim
        #endif
    }

    /// Writes all bytes, waiting as long as it takes.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            do throws(SystemError) {
                done += try SystemError.retryingInterrupts {
                    // A C call that reads memory takes a pointer.
                    bytes.withUnsafeBytes { libcWrite(number, $0.baseAddress.map { $0 + done }, $0.count - done) }
                }
            } catch {
                guard error.code == EAGAIN else { throw error }
                // Somebody else made the pipe non-blocking; it is shared with us.
                try wait(for: Int16(POLLOUT))
            }
        }
    }

    /// Up to `count` bytes, as soon as there are any; none at the end.
    func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        while true {
            var failure: SystemError?
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                do throws(SystemError) {
                    filled = try SystemError.retryingInterrupts { libcRead(number, buffer.baseAddress, count) }
                } catch {
                    failure = error
                }
            }
            guard let failure else { return bytes }
            guard failure.code == EAGAIN else { throw failure }
            try wait(for: Int16(POLLIN))
        }
    }

    /// Waits until one of the poll events is there, or an error or hang-up; nothing when the time is over.
    ///
    /// - Parameter milliseconds: how long to wait; -1 is for ever.
    @discardableResult
    func wait(for events: Int16, milliseconds: Int32 = -1) throws(SystemError) -> Int16 {
        var entry = pollfd(fd: number, events: events, revents: 0)
        _ = try SystemError.retryingInterrupts { poll(&entry, 1, milliseconds) }
        return entry.revents
    }
}

/// A descriptor that is closed when its owner goes away.
struct OwnedDescriptor: ~Copyable, Sendable {
    let descriptor: FileDescriptor

    init(_ number: Int32) {
        descriptor = FileDescriptor(number: number)
    }

    deinit {
        // Nothing rests on what close says: what must last was written and checked before.
        _ = close(descriptor.number)
    }

    /// Opens a file or folder, closed when another program is started; a new one is for its owner only.
    ///
    /// - Parameter folder: an open folder that the path is relative to.
    static func open(
        _ path: String, in folder: Int32 = AT_FDCWD, _ flags: Int32
    ) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemError.retryingInterrupts { openat(folder, path, flags | O_CLOEXEC, 0o600) })
    }
}

// The methods above have the names of the C functions they call.
private func libcWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }
private func libcRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, bytes, count)
}
