import Platform

/// A value that is never shown by a print, log line, string interpolation or dump.
package protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    package var description: String { "(secret)" }
    package var debugDescription: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// In a time that depends on the lengths but not on where they differ. Not inlined: in a caller that knows one side
    /// the compiler could end the loop early.
    @inline(never)
    package func constantTimeEquals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}

package enum RandomBytes {
    /// The operating system provided none: a kernel older than 3.17 or a filter that forbids the call.
    package struct Failure: Error, Equatable {
        package let code: Int32
    }

    /// Bytes from getrandom(2), which blocks after boot until the system has enough entropy.
    package static func make(_ count: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try RandomSource.bytes(count)
        } catch {
            throw Failure(code: error.code)
        }
    }
}
