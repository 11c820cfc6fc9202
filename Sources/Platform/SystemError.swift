import Glibc

package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let code: Int32
    /// If the code alone is not enough.
    package let call: String?

    package init(code: Int32, call: String? = nil) {
        (self.code, self.call) = (code, call)
    }

    /// Must be read before anything else can change it.
    package static var last: SystemError { SystemError(code: errno) }

    package static func last(_ call: String) -> SystemError { SystemError(code: errno, call: call) }

    package var text: String { String(cString: strerror(code)) }

    package var description: String { call.map { "\($0): \(text)" } ?? text }

    /// Throws `errno` when the call returns a negative number, unless a signal has interrupted it.
    @discardableResult
    package static func retryingInterrupts<Number: SignedInteger>(_ call: () -> Number) throws(SystemError) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = SystemError.last
            guard error.code == EINTR else { throw error }
        }
    }

    static func check(_ result: Int32) throws(SystemError) {
        if result < 0 { throw .last }
    }
}

extension SystemError {
    package static let missing = SystemError(code: ENOENT)
    package static let readOnly = SystemError(code: EROFS)
    package static let noSpace = SystemError(code: ENOSPC)
    package static let noData = SystemError(code: ENODATA)
    package static let inputOutput = SystemError(code: EIO)

    package var isMissing: Bool { code == ENOENT }
    package var isUnusablePath: Bool { code == ENOENT || code == ENOTDIR || code == EISDIR }
    package var isExisting: Bool { code == EEXIST }
    /// The operating system denies it: permissions, or a read-only file system.
    package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// Also a quota, or the size limit of files.
    package var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    package var isInputOutput: Bool { code == EIO }
    /// For a lock: another process has it.
    package var wouldBlock: Bool { code == EAGAIN }
    /// NFS and others lock files only, not folders.
    package var isUnsupported: Bool { code == EBADF || code == EINVAL || code == ENOLCK || code == EOPNOTSUPP }

    package var isBrokenPipe: Bool { code == EPIPE || code == ECONNRESET }
    package var isRefused: Bool { code == ECONNREFUSED }
    package var isAddressInUse: Bool { code == EADDRINUSE }
    package var isAddressUnavailable: Bool { code == EADDRNOTAVAIL }
    package var isUnknownAddress: Bool { code == EAFNOSUPPORT }
    package var isNameTooLong: Bool { code == ENAMETOOLONG }
}
