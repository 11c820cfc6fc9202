import Glibc

/// An open file, folder, pipe or socket. It is not closed automatically: see `OwnedDescriptor`.
package struct FileDescriptor: Sendable, Equatable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    package static let standardInput = FileDescriptor(number: STDIN_FILENO)
    package static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    package static let standardError = FileDescriptor(number: STDERR_FILENO)
    package static let workingFolder = FileDescriptor(number: AT_FDCWD)

    /// Opens what was closed of standard input, output and errors, so that no file of data gets its number. Reading
    /// gives nothing, writing fails.
    package static func openStandard() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = Glibc.open("/dev/null", O_RDONLY)
        }
    }

    /// The events that `wait` and `EpollPoller` wait for.
    package struct Events: OptionSet, Sendable {
        package let rawValue: Int16

        package init(rawValue: Int16) {
            self.rawValue = rawValue
        }

        package static let readable = Events(rawValue: Int16(POLLIN))
        package static let writable = Events(rawValue: Int16(POLLOUT))
        /// The other end has closed its side; there may be input.
        package static let hangUp = Events(rawValue: Int16(POLLHUP))
    }

    /// Blocks until all bytes are written.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            do throws(SystemError) {
                let written = try SystemError.retryingInterrupts {
                    bytes.withUnsafeBytes { libcWrite(number, $0.baseAddress.map { $0 + done }, $0.count - done) }
                }
                // No file returns 0, but a loop that relies on this might never end.
                guard written > 0 else { throw SystemError.inputOutput }
                done += written
            } catch {
                guard error.wouldBlock else { throw error }
                // Another process has made the shared pipe non-blocking.
                try wait(for: .writable)
            }
        }
    }

    func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let written = bytes.withUnsafeBytes { libcWrite(number, $0.baseAddress, $0.count) }
        if written < 0 { throw .last }
        return written
    }

    /// As soon as there are any; none at the end.
    package func read(upTo count: Int) throws(SystemError) -> [UInt8] {
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
            guard failure.wouldBlock else { throw failure }
            try wait(for: .readable)
        }
    }

    /// The result also has the bits of an error or hang-up; it is empty after a timeout. -1 is none.
    @discardableResult
    package func wait(for events: Events, milliseconds: Int32 = -1) throws(SystemError) -> Events {
        var entry = pollfd(fd: number, events: events.rawValue, revents: 0)
        try SystemError.retryingInterrupts { poll(&entry, 1, milliseconds) }
        return Events(rawValue: entry.revents)
    }
}

// The methods above have the names of the C functions that they call.
private func libcWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }
private func libcRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, bytes, count)
}
