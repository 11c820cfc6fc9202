import CSystem
import Glibc

package enum RandomSource {
    /// getrandom(2) blocks after boot until the system has enough entropy.
    ///
    /// - Throws: on a kernel older than 3.17, or with a filter that forbids the call.
    package static func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            filled += try SystemError.retryingInterrupts {
                bytes.withUnsafeMutableBytes { getrandom($0.baseAddress?.advanced(by: filled), count - filled, 0) }
            }
        }
        return bytes
    }
}
