import Bytes

/// Digests of the networks from which a person has logged in. They use a random key, so that no address is stored, and
/// two people in one network have different digests.
package enum NetworkDigest {
    package static func makeKey() throws(RandomBytes.Failure) -> String {
        Hex.encode(try RandomBytes.make(16))
    }

    /// Key and network have fixed lengths, so that it is enough to put the key before the bytes.
    package static func digest(of network: [UInt8], key: String) -> String {
        Hex.encode(Array(SHA256.digest(Array(key.utf8) + network).prefix(16)))
    }
}
