import Bytes

/// The SHA-256 of a token's text: what the server keeps, and finds the token by.
///
/// It may stand in a log and in a dictionary. Looking one up takes no constant time and needs none: a client chooses
/// the token, not its digest, and learns nothing of a stored digest from how long one that it cannot choose took.
public struct TokenDigest: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    init(of text: [UInt8]) {
        bytes = SHA256.digest(text)
    }

    /// Reads 64 hexadecimal digits, as they are stored; nil for anything else.
    public init?(hex: some Collection<UInt8>) {
        guard hex.count == 2 * SHA256.byteCount, let bytes = Hex.decode(hex) else { return nil }
        self.bytes = bytes
    }

    /// The digest as 64 hexadecimal digits in lower case, for storage.
    public var hex: String { Hex.encode(bytes) }
}
