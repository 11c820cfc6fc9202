import Platform

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
