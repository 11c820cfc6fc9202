import CSystem
import Glibc

/// A descriptor that is closed when its owner is destroyed.
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
