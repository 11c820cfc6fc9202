import Platform

/// A value that is never shown by a print, log line, string interpolation or dump.
public protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    /// `(secret)`, always.
    public var description: String { "(secret)" }
    /// `(secret)`, always.
    public var debugDescription: String { "(secret)" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// Whether two byte strings are equal, in a time that depends on their lengths but not on where they differ.
    ///
    /// Not inlined: in a caller that knows one side the compiler could end the loop early.
    @inline(never)
    public func constantTimeEquals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}

/// Unpredictable random bytes from the operating system.
public enum RandomBytes {
    /// The operating system provided none: a kernel older than 3.17 or a filter that forbids the call.
    public struct Failure: Error, Equatable {
        /// The value of `errno`.
        public let code: Int32
    }

    /// Bytes from getrandom(2), which blocks after boot until the system has enough entropy.
    public static func make(_ count: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try RandomSource.bytes(count)
        } catch {
            throw Failure(code: error.code)
        }
    }
}
