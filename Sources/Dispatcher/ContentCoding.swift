import Bytes
import HTTP
import Platform

/// Responses in gzip (RFC 9110, section 8.4.1.3), for clients that take it.
///
/// Only what is the same for all clients without an account is coded: a response to a person may have a secret beside
/// what somebody else chose, and its length would tell of it (BREACH).
extension Response {
    private static let fewestBytes = 1_000

    func coded() -> Response? {
        guard status == .ok, case .bytes(let body) = content, body.count >= Self.fewestBytes,
            headers.first("Content-Encoding") == nil, isText, let compressed = Gzip.compress(body)
        else { return nil }
        var coded = self
        coded.content = .bytes(compressed)
        coded.headers.add("Content-Encoding", "gzip")
        if let tag = headers.first("ETag") { coded.headers.set("ETag", EntityTag.coded(tag)) }
        return coded
    }

    private var isText: Bool {
        guard let type = headers.first("Content-Type") else { return false }
        return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
    }
}

extension EntityTag {
    /// The tag of the coded form. The coding belongs to the part after the record, so that a write compares the record.
    static func coded(_ tag: String) -> String { tag.dropLast() + (tag.contains(".") ? "z\"" : ".z\"") }
}

extension Request {
    var takesGzip: Bool {
        guard let field = headers.first("accept-encoding") else { return false }
        return field.split(separator: UInt8(ascii: ",")).contains { item in
            let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { $0.filter { $0 != 0x20 && $0 != 0x09 } }
            guard let name = parts.first, ASCII.equalIgnoringCase(name, "gzip".utf8) else { return false }
            // A weight of zero refuses it.
            return !parts.dropFirst().contains {
                ASCII.equalIgnoringCase($0.prefix(3), "q=0".utf8) && !$0.dropFirst(3).contains { 0x31...0x39 ~= $0 }
            }
        }
    }
}
