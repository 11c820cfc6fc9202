import Glibc

/// A descriptor that is closed when its owner goes away.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// What it owns.
    package let descriptor: FileDescriptor

    /// Takes over an open descriptor.
    package init(_ number: Int32) {
        descriptor = FileDescriptor(number: number)
    }

    deinit {
        // Nothing rests on what close says: what must last was written and checked before.
        _ = close(descriptor.number)
    }

    /// Opens a file or folder, closed when another program is started; a new one is for its owner only.
    ///
    /// - Parameter folder: an open folder that the path is relative to.
    package static func open(
        _ path: String, in folder: FileDescriptor = .workingFolder, _ flags: OpenFlags
    ) throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(
            try SystemError.retryingInterrupts {
                openat(folder.number, path, flags.rawValue | O_CLOEXEC, 0o600)
            })
    }

    /// Returns the number of the descriptor, which the caller has to close.
    consuming func release() -> Int32 {
        let number = descriptor.number
        discard self
        return number
    }
}

/// How a file is opened.
package struct OpenFlags: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// To be read.
    package static let read = OpenFlags(rawValue: O_RDONLY)
    /// To be written.
    package static let write = OpenFlags(rawValue: O_WRONLY)
    /// To be read and written.
    package static let readWrite = OpenFlags(rawValue: O_RDWR)
    /// Every write goes to the end.
    package static let append = OpenFlags(rawValue: O_APPEND)
    /// A file that is not there is made.
    package static let create = OpenFlags(rawValue: O_CREAT)
    /// With `create`: a file that is there is an error.
    package static let exclusive = OpenFlags(rawValue: O_EXCL)
    /// Only a folder is opened.
    package static let folder = OpenFlags(rawValue: O_DIRECTORY)
    /// A link is not followed.
    package static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
    /// Opening a pipe does not wait for its other end.
    package static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
}
