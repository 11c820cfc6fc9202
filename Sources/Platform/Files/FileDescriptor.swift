import Glibc

/// The number of an open file, folder, pipe or socket. Does not own it: see `OwnedDescriptor`.
package struct FileDescriptor: Sendable, Equatable {
    package let number: Int32

    /// The descriptor of this number.
    package init(number: Int32) {
        self.number = number
    }

    package static let standardInput = FileDescriptor(number: STDIN_FILENO)
    package static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    package static let standardError = FileDescriptor(number: STDERR_FILENO)
    /// The working folder of the process, for calls that take an open folder.
    package static let workingFolder = FileDescriptor(number: AT_FDCWD)

    /// What `wait` waits for.
    package struct Events: OptionSet, Sendable {
        package let rawValue: Int16

        package init(rawValue: Int16) {
            self.rawValue = rawValue
        }

        /// There is something to read, or the end.
        package static let readable = Events(rawValue: Int16(POLLIN))
        /// There is room to write.
        package static let writable = Events(rawValue: Int16(POLLOUT))
    }

    /// Writes all bytes, waiting as long as it takes.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            do throws(SystemError) {
                let written = try SystemError.retryingInterrupts {
                    // A C call that reads memory takes a pointer.
                    bytes.withUnsafeBytes { libcWrite(number, $0.baseAddress.map { $0 + done }, $0.count - done) }
                }
                // No file returns 0; a loop that trusts it might never end.
                guard written > 0 else { throw SystemError.inputOutput }
                done += written
            } catch {
                guard error.wouldBlock else { throw error }
                // Somebody else made the pipe non-blocking; it is shared with us.
                try wait(for: .writable)
            }
        }
    }

    /// Writes what fits now, of a descriptor that does not wait.
    func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let written = bytes.withUnsafeBytes { libcWrite(number, $0.baseAddress, $0.count) }
        if written < 0 { throw .last }
        return written
    }

    /// Up to `count` bytes, as soon as there are any; none at the end.
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

    /// Waits until one of the events is there, or an error or hang-up, whose bits it has too; nothing when the time is
    /// over.
    ///
    /// - Parameter milliseconds: how long to wait; -1 is for ever.
    @discardableResult
    package func wait(for events: Events, milliseconds: Int32 = -1) throws(SystemError) -> Events {
        var entry = pollfd(fd: number, events: events.rawValue, revents: 0)
        try SystemError.retryingInterrupts { poll(&entry, 1, milliseconds) }
        return Events(rawValue: entry.revents)
    }
}

// The methods above have the names of the C functions they call.
private func libcWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(number, bytes, count) }
private func libcRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(number, bytes, count)
}
