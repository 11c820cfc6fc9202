import Credentials
import Store

/// The key of the positions that leave the server.
///
/// A position in the history has the chain of its commits, which is a digest without a key: whoever has two of them
/// could guess offline what a commit contains that they may not see. So others get a code of it. Its key is the identity
/// of the store, which is in the folder and its backups only: a restored town continues the positions of its clients.
public struct PositionKey: Sendable {
    private let codes: HMACSHA256

    /// The key of a store.
    init(_ store: Store) {
        codes = HMACSHA256(key: Array(store.identity.utf8))
    }

    /// The code of a position: the first 64 bits of HMAC-SHA256.
    public func code(of position: HistoryPosition) -> UInt64 {
        codes.code(of: "position \(position)".utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
