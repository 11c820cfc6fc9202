import Bytes
import Platform
import SookeModel
import Store

/// The key of what leaves the server or is stored in a form that only this town can make.
///
/// It is the identity of the store, which is in the folder and its backups only: positions of clients, digests of
/// networks and stamps stay the same over restarts and in a restored town. The chain of commits in a position is a
/// digest without a key: whoever has two of them could guess offline what a commit contains that they may not see. Of
/// networks no address is stored.
package struct StoreKey: Sendable {
    private let codes: HMACSHA256

    init(_ store: Store) {
        codes = HMACSHA256(key: Array(store.identity.utf8))
    }

    package func code(of position: HistoryPosition) -> UInt64 {
        codes.code(of: "position \(position)".utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Signed, so that a program cannot claim that it has looked at the form.
    func stamp(at moment: Timestamp) -> String {
        let code = codes.code(of: Array("form \(moment.seconds)".utf8)).prefix(12)
        return "\(moment.seconds).\(Hex.encode(Array(code)))"
    }

    /// Nil for a stamp of somebody else.
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

    /// What only this server can add to a text, as 32 hexadecimal digits.
    func code(of text: String) -> String { Hex.encode(Array(codes.code(of: Array(text.utf8)).prefix(16))) }

    /// The first 128 bits of HMAC-SHA256, as 32 hexadecimal digits.
    func digest(of network: ClientNetwork) -> String {
        Hex.encode(Array(codes.code(of: Array("network ".utf8) + network.bytes).prefix(16)))
    }
}
