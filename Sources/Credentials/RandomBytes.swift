import Platform

/// Random bytes that cannot be guessed, from the operating system.
public enum RandomBytes {
    /// The operating system gave none: a kernel older than 3.17 or a filter that forbids the call.
    public struct Failure: Error, Equatable {
        /// The value of `errno`.
        public let code: Int32
    }

    /// Some bytes of getrandom(2), which waits at the start of the machine until it has enough of them.
    public static func make(_ count: Int) throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try RandomSource.bytes(count)
        } catch {
            throw Failure(code: error.code)
        }
    }
}
