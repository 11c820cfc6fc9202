import Bytes
import Dispatcher
import HTTP
import Store

/// A place in the list of a query, for the parameter `cursor`: the page begins after it. `start` begins a walk.
///
/// A cursor contains the key of the last business of the page before. So a business that is added or removed between two
/// pages moves no other across the border, unlike with `page`. One that changes its own place meanwhile may be missed or
/// be there twice.
///
/// To clients it is an opaque text: the base64url form of the version of this format and the order in one byte, four
/// bytes of a digest of the filters, and the key.
struct BusinessCursor {
    /// The key of the last business before the page; nil at the start.
    let key: BusinessKey?

    /// The cursor in a request; nil when it is absent.
    ///
    /// - Throws: 400 for a text that no response to this query contains.
    init?(in call: Call, _ order: BusinessOrder) throws(HTTPError) {
        guard let text = try call.parameter("cursor") else { return nil }
        if text.utf8.elementsEqual("start".utf8) {
            key = nil
            return
        }
        let unknown = HTTPError.invalidParameter(
            "cursor is start or the next_cursor of a response, not \"\(text.excerpt())\"")
        guard let bytes = Base64URL.decode(text.utf8), bytes.count > 5 else { throw unknown }
        guard bytes[0] == Self.byte(of: order), try Self.filterDigest(of: call).elementsEqual(bytes[1..<5]) else {
            throw .invalidParameter(
                "cursor belongs to a list with other filters or another order; "
                    + "send it with the parameters of the request that returned it")
        }
        guard let key = BusinessKey(order, bytes: bytes[5...]) else { throw unknown }
        self.key = key
    }

    /// The text of a cursor after a key, for the list of a request.
    static func text(after key: BusinessKey, in call: Call) throws(HTTPError) -> String {
        Base64URL.encode([byte(of: key.order)] + (try filterDigest(of: call)) + key.bytes)
    }

    private static let version: UInt8 = 2 << 4

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
