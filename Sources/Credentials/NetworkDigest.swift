import Bytes

/// What is stored of the networks that somebody has logged in from: digests with a random key, so that no address
/// stands in the file, and two people in one network have different digests.
public enum NetworkDigest {
    /// A new key, as 32 hexadecimal digits.
    public static func makeKey() throws(RandomBytes.Failure) -> String {
        Hex.encode(try RandomBytes.make(16))
    }

    /// The digest of a network, as 32 hexadecimal digits. Key and network have the same lengths always, so that the key
    /// before the bytes is enough.
    public static func digest(of network: [UInt8], key: String) -> String {
        Hex.encode(Array(SHA256.digest(Array(key.utf8) + network).prefix(16)))
    }
}
