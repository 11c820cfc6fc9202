import CSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Random bytes that cannot be guessed, from the operating system.
public enum RandomBytes {
    /// The operating system gave none: on Linux, a kernel older than 3.17 or a filter that forbids the call.
    public struct Failure: Error, Equatable {
        /// The value of `errno`.
        public let code: Int32
    }

    /// Some bytes of getrandom(2), which waits at the start of the machine until it has enough of them.
    public static func make(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        #if canImport(Darwin)
            arc4random_buf(&bytes, count)
        #else
            var filled = 0
            while filled < count {
                let result = bytes.withUnsafeMutableBytes {
                    getrandom($0.baseAddress?.advanced(by: filled), count - filled, 0)
                }
                if result >= 0 { filled += result } else if errno != EINTR { throw Failure(code: errno) }
            }
        #endif
        return bytes
    }
}
