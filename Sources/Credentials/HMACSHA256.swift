/// Codes that prove that their maker had a key: HMAC with SHA-256 (RFC 2104).
///
/// ```swift
/// let code = HMACSHA256(key: key).code(of: message)
/// ```
public struct HMACSHA256: Sendable {
    /// The digests that have taken the key.
    private let inner: SHA256
    private let outer: SHA256

    private static let blockBytes = 64

    /// Codes with a key, which is random and secret.
    public init(key: [UInt8]) {
        var block = key.count > Self.blockBytes ? SHA256.digest(key) : key
        block += [UInt8](repeating: 0, count: Self.blockBytes - block.count)
        var (inner, outer) = (SHA256(), SHA256())
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5C })
        (self.inner, self.outer) = (inner, outer)
    }

    /// The 32 bytes of the code of a message.
    public func code(of message: some Sequence<UInt8>) -> [UInt8] {
        var (first, second) = (inner, outer)
        first.update(message)
        second.update(first.finish())
        return second.finish()
    }
}
