#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the operating system answered to a call that failed.
struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32

    /// The failure that `errno` tells of; to be made before anything else can change it.
    static var last: SystemError { SystemError(code: errno) }

    /// The operating system's words, such as `No space left on device`.
    var description: String { String(cString: strerror(code)) }

    var isMissing: Bool { code == ENOENT }
    var isExisting: Bool { code == EEXIST }
    var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
    var isBrokenPipe: Bool { code == EPIPE || code == ECONNRESET }
    var isRefused: Bool { code == ECONNREFUSED }

    /// How a command ends for which a file or socket could not be opened.
    var codeForOpening: ExitCode {
        if isForbidden { return .notPermitted }
        return code == ENOENT || code == ENOTDIR || code == EISDIR ? .noInput : .inputOutput
    }

    /// Makes a call until a signal does not interrupt it.
    ///
    /// - Throws: `errno`, when the call returns a negative number.
    static func retryingInterrupts<Number: SignedInteger>(_ call: () -> Number) throws(SystemError) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = SystemError.last
            guard error.code == EINTR else { throw error }
        }
    }
}
