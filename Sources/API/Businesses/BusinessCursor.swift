import Bytes
import Dispatcher
import HTTP
import Store

/// A place in the list of a query, for the parameter `cursor`: the page begins after it.
///
/// A cursor contains the key of the last business of the page before, and the position of the version with which the
/// walk began. So a business that is added or removed between two pages moves no other across the border, unlike with
/// `page`, and one that changes its place in the list keeps the old one in this walk: each business that exists during
/// the whole walk is in it exactly once. (Changes since the beginning of the walk are known as long as the commits are in
/// memory; later, a business that moves may be missed or be there twice.)
///
/// To clients it is an opaque text: the base64url form of the version of this format and the order in one byte, four
/// bytes of a digest of the filters, the position with its length, and the key.
struct BusinessCursor {
    /// The key of the last business before the page.
    let key: BusinessKey
    /// The position of the version with which the walk began; nil when the commits after it are no longer in memory.
    let start: HistoryPosition?

    /// The cursor in a request; nil when it is absent.
    ///
    /// - Throws: 400 for a text that no response to this query contains.
    init?(in call: Call, _ order: BusinessOrder) throws(HTTPError) {
        guard let text = try call.parameter("cursor") else { return nil }
        let unknown = HTTPError.invalidParameter(
            "cursor is the next_cursor of a response, not \"\(text.excerpt())\"")
        guard let bytes = Base64URL.decode(text.utf8), bytes.count > 5 else { throw unknown }
        guard bytes[0] == Self.byte(of: order), try Self.filterDigest(of: call).elementsEqual(bytes[1..<5]) else {
            throw .invalidParameter(
                "cursor belongs to a list with other filters or another order; "
                    + "send it with the parameters of the request that returned it")
        }
        let position = bytes[6...].prefix(Int(bytes[5]))
        guard let key = BusinessKey(order, bytes: bytes[position.endIndex...])
        else { throw unknown }
        self.key = key
        start = call.town.position(publicly: String(decoding: position, as: UTF8.self), in: call.version)
    }

    /// A cursor after a key.
    init(_ key: BusinessKey, since start: HistoryPosition) {
        (self.key, self.start) = (key, start)
    }

    /// The text for the list of a request.
    func text(in call: Call) throws(HTTPError) -> String {
        let position = Array((start.map(call.town.publicPosition) ?? "").utf8)
        return Base64URL.encode(
            [Self.byte(of: key.order)] + (try Self.filterDigest(of: call)) + [UInt8(position.count)] + position
                + key.bytes)
    }

    private static let version: UInt8 = 1 << 4

    private static func byte(of order: BusinessOrder) -> UInt8 {
        switch order {
        case .name: version
        case .distance: version | 1
        case .updated: version | 2
        case .relevance: version | 3
        }
    }

    private static let filters = [
        "search", "q", "category", "near", "radius_m", "bbox", "open_now", "open_at", "updated_since",
    ]

    private static func filterDigest(of call: Call) throws(HTTPError) -> [UInt8] {
        var text: [UInt8] = []
        if !call.request.query.isEmpty {
            for name in filters {
                // NUL occurs in no value.
                text.append(utf8: try call.parameter(name) ?? "")
                text.append(0)
            }
        }
        let digest = XXH64.digest(text.span)
        return (0..<4).map { UInt8(truncatingIfNeeded: digest >> (8 * $0)) }
    }
}
