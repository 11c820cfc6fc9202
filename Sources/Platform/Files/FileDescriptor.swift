import CSystem
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

    /// Blocks until all bytes are written; at an offset, the position of the file does not change.
    package func write(_ bytes: [UInt8], at offset: Int? = nil) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            do throws(SystemError) {
                let written = try SystemError.retryingInterrupts {
                    bytes.withUnsafeBytes { bytes in
                        let (rest, count) = (bytes.baseAddress.map { $0 + done }, bytes.count - done)
                        guard let offset else { return Glibc.write(number, rest, count) }
                        return pwrite(number, rest, count, off_t(offset + done))
                    }
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
        let written = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        if written < 0 { throw .last }
        return written
    }

    /// As soon as there are any; none at the end.
    package func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        while true {
            var failure: SystemError?
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                do throws(SystemError) {
                    filled = try SystemError.retryingInterrupts { Glibc.read(number, buffer.baseAddress, count) }
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

package struct OwnedDescriptor: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    package init(_ number: Int32) {
        descriptor = FileDescriptor(number: number)
    }

    deinit {
        // An error of `close` can be ignored: data that must last was synced and checked before.
        _ = close(descriptor.number)
    }

    /// Close-on-exec; a new file is for its owner only.
    package static func open(
        _ path: String, in folder: FileDescriptor = .workingFolder, _ flags: OpenFlags
    ) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            try SystemError.retryingInterrupts {
                openat(folder.number, path, flags.rawValue | O_CLOEXEC, 0o600)
            })
    }

    /// The caller has to close it.
    consuming func release() -> Int32 {
        let number = descriptor.number
        discard self
        return number
    }
}

package struct OpenFlags: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let read = OpenFlags(rawValue: O_RDONLY)
    package static let write = OpenFlags(rawValue: O_WRONLY)
    package static let readWrite = OpenFlags(rawValue: O_RDWR)
    package static let append = OpenFlags(rawValue: O_APPEND)
    package static let create = OpenFlags(rawValue: O_CREAT)
    package static let exclusive = OpenFlags(rawValue: O_EXCL)
    package static let truncate = OpenFlags(rawValue: O_TRUNC)
    /// The file is neither read nor written, and may be of any kind.
    package static let name = OpenFlags(rawValue: sooke_open_name)
    package static let folder = OpenFlags(rawValue: O_DIRECTORY)
    package static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
    /// Do not wait for the other end of a pipe.
    package static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
}
