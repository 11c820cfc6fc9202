import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32
    /// The name of the call, where the code alone would not say enough.
    package let call: String?

    /// A failure with this value of `errno`.
    package init(code: Int32, call: String? = nil) {
        (self.code, self.call) = (code, call)
    }

    /// The failure in `errno`; to be read before anything else can change it.
    package static var last: SystemError { SystemError(code: errno) }

    /// The same for a call that is named.
    package static func last(_ call: String) -> SystemError { SystemError(code: errno, call: call) }

    /// The operating system's words, such as `No space left on device`.
    package var text: String { String(cString: strerror(code)) }

    /// The name of the call, if it is known, and the operating system's words.
    package var description: String { call.map { "\($0): \(text)" } ?? text }

    /// Makes a call until a signal does not interrupt it.
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
