import Glibc

/// A failed system call.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32
    /// The name of the call, if the code alone is not enough.
    package let call: String?

    package init(code: Int32, call: String? = nil) {
        (self.code, self.call) = (code, call)
    }

    /// The failure in `errno`; must be read before anything else can change it.
    package static var last: SystemError { SystemError(code: errno) }

    package static func last(_ call: String) -> SystemError { SystemError(code: errno, call: call) }

    /// The message of the operating system, such as `No space left on device`.
    package var text: String { String(cString: strerror(code)) }

    /// The name of the call, if it is known, and the message of the operating system.
    package var description: String { call.map { "\($0): \(text)" } ?? text }

    /// Repeats a call as long as a signal interrupts it.
    ///
    /// - Throws: `errno`, when the call returns a negative number.
    @discardableResult
    package static func retryingInterrupts<Number: SignedInteger>(
        _ call: () -> Number
    ) throws(SystemError) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = SystemError.last
            guard error.code == EINTR else { throw error }
        }
    }

    /// Makes a call once; throws `errno` when it returns a negative number.
    static func check(_ result: Int32) throws(SystemError) {
        if result < 0 { throw .last }
    }
}

extension SystemError {
    package static let missing = SystemError(code: ENOENT)
    package static let readOnly = SystemError(code: EROFS)
    /// There is less data than there should be.
    package static let noData = SystemError(code: ENODATA)
    /// The disk or another device failed.
    package static let inputOutput = SystemError(code: EIO)

    package var isMissing: Bool { code == ENOENT }
    /// The path does not exist, or leads through a file or to a folder.
    package var isUnusablePath: Bool { code == ENOENT || code == ENOTDIR || code == EISDIR }
    package var isExisting: Bool { code == EEXIST }
    /// The operating system denies it: permissions, or a read-only file system.
    package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// The disk is full, or a quota or the size limit of files is reached.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    package var isInputOutput: Bool { code == EIO }
    /// The call would have to wait; for a lock, another process has it.
    package var wouldBlock: Bool { code == EAGAIN }
    /// The file system does not support the call: NFS and others lock files only, not folders.
    package var isUnsupported: Bool { code == EBADF || code == EINVAL || code == ENOLCK || code == EOPNOTSUPP }

    /// The reader of a pipe or the peer of a connection has closed it.
    package var isBrokenPipe: Bool { code == EPIPE || code == ECONNRESET }
    /// No process listens at the address.
    package var isRefused: Bool { code == ECONNREFUSED }
    package var isAddressInUse: Bool { code == EADDRINUSE }
    /// The machine does not have the address.
    package var isAddressUnavailable: Bool { code == EADDRNOTAVAIL }
    /// The text is not an address of a known family.
    package var isUnknownAddress: Bool { code == EAFNOSUPPORT }
    package var isNameTooLong: Bool { code == ENAMETOOLONG }
}
