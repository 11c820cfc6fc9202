import Bytes
import Credentials
import Platform
import Store

/// The key of the digests of networks in records of what clients without an account sent.
///
/// The addresses themselves are not stored. The key is the identity of the store, like that of `PositionKey`: the
/// digests stay the same over restarts and in a restored town, and mean nothing without its folder or a backup of it.
struct NetworkKey: Sendable {
    private let codes: HMACSHA256

    init(_ store: Store) {
        codes = HMACSHA256(key: Array(store.identity.utf8))
    }

    /// When a form was shown, signed, so that a program cannot claim that it has looked at it.
    func stamp(at moment: Timestamp) -> String {
        let code = codes.code(of: Array("form \(moment.seconds)".utf8)).prefix(12)
        return "\(moment.seconds).\(Hex.encode(Array(code)))"
    }

    /// When the form with a stamp was shown; nil for a stamp of somebody else.
    func moment(of stamp: String) -> Timestamp? {
        let seconds = stamp.utf8.prefix { ASCII.isDigit($0) }
        guard let moment = Int(Substring(seconds)).flatMap(Timestamp.init(seconds:)),
            self.stamp(at: moment).hasSameBytes(as: stamp)
        else { return nil }
        return moment
    }

    /// What only this server can add to the token of a session.
    func stamp(of token: Token) -> String {
        Hex.encode(Array(codes.code(of: Array("session \(token.reveal())".utf8)).prefix(12)))
    }

    /// The digest of a network: the first 128 bits of HMAC-SHA256, as 32 hexadecimal digits.
    func digest(of network: ClientNetwork) -> String {
        Hex.encode(Array(codes.code(of: Array("network ".utf8) + network.bytes).prefix(16)))
    }
}
