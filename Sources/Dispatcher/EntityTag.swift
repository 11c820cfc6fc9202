import Bytes
import HTTP
import Service
import SookeModel
import Store

/// A strong entity tag (RFC 9110, section 8.8.3).
///
/// The tag of a list is a digest of the body. The tag of a record has two parts, `"record.rest"`: a digest of the
/// stored record, and a digest of the body, which also depends on the clock and on other records. A read compares the
/// whole tag; a write compares the first part, so that an old tag is valid as long as the record is unchanged. The tag
/// of a body that is rendered while it is sent is a digest of what determines it, such as the zone data and the build.
package struct EntityTag {
    /// With its quotation marks.
    package let bytes: [UInt8]

    package init(of body: [UInt8]) { self.init(nil, body) }

    /// The digest is `StoredRecord.digest`.
    package init(record: UInt64, body: [UInt8]) { self.init(record, body) }

    private init(_ record: UInt64?, _ body: [UInt8]) {
        var bytes = [UInt8](#"""#)
        bytes.reserveCapacity(35)
        if let record {
            bytes.append(hex: record)
            bytes.append(".")
        }
        bytes.append(hex: XXH64.digest(body.span))
        bytes.append("\"")
        self.bytes = bytes
    }

    /// Of a long body that is rendered while it is sent. It is the same after a restart.
    ///
    /// - Parameter end: until when the body stays the same while the version does.
    package init(ofStream type: MediaType, to call: Call, until end: Timestamp) {
        let service = call.service
        let parts = [
            service.publicPosition(call.version.position), "\(end.microseconds)", type.rawValue,
            "\(call.visibleBusinesses)", call.townZone.name, service.zones.version, service.url, call.dispatcher.build,
        ]
        self.init(of: Array(parts.joined(separator: "|").utf8) + call.request.target)
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Weak or strong (RFC 9110, section 13.1.2); `*` lists each.
    func isListed(in field: ArraySlice<UInt8>) -> Bool {
        field.isAsterisk || Self.tags(in: field).contains { $0.elementsEqual(bytes) }
    }

    /// Or of the same body, when this tag has one part. Weak tags match, unlike in RFC 9110, section 13.1.1: a proxy
    /// that compresses responses weakens their tags, and the first part still identifies the version of the record.
    func isSameRecord(asIn field: ArraySlice<UInt8>) -> Bool {
        let record = Self.firstPart(of: bytes[...])
        return Self.tags(in: field).contains { Self.firstPart(of: $0).elementsEqual(record) }
    }

    /// Without tags of another form. One of a single part is that of a change in the history.
    static func recordDigests(in field: ArraySlice<UInt8>) -> [UInt64] {
        let quote = UInt8(ascii: "\"")
        return tags(in: field).compactMap { tag in
            let digits = firstPart(of: tag).dropFirst().prefix { $0 != quote }
            return tag.first == quote ? Hex.integer(digits) : nil
        }
    }

    /// Without the prefix of weak ones.
    private static func tags(in field: ArraySlice<UInt8>) -> some Sequence<ArraySlice<UInt8>> {
        field.split(separator: UInt8(ascii: ",")).lazy.map { item in
            var tag = item.drop(while: isSpace)
            while let last = tag.last, isSpace(last) { tag = tag.dropLast() }
            return tag.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")]) ? tag.dropFirst(2) : tag
        }
    }

    private static func firstPart(of tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        tag.prefix { $0 != UInt8(ascii: ".") }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension Response {
    /// A body that caches must ask for again, by the tag of these bytes.
    package static func revalidated(_ type: String, _ body: [UInt8]) -> Response {
        Response(headers: .revalidated(type, EntityTag(of: body)), body: body)
    }
}

extension ResponseHeaders {
    package static func revalidated(_ type: String, _ tag: EntityTag) -> ResponseHeaders {
        var headers: ResponseHeaders = ["Content-Type": type, "Cache-Control": "no-cache"]
        headers.add("ETag", bytes: tag.bytes)
        return headers
    }
}

package struct RecordValidators {
    package let digest: UInt64
    package let updated: Timestamp?

    package init(_ record: some TableRecord) {
        (digest, updated) = (record.digest, record.times.updated)
    }
}

extension Precondition {
    init(_ headers: Headers) {
        self.init(
            required: Versions(headers.all("if-match")), excluded: Versions(headers.all("if-none-match")))
    }
}

extension Precondition.Versions {
    fileprivate init?(_ fields: [ArraySlice<UInt8>]) {
        if fields.isEmpty { return nil }
        self.init(
            includesAny: fields.contains(where: \.isAsterisk),
            digests: fields.filter { !$0.isAsterisk }.flatMap(EntityTag.recordDigests(in:)),
            namesVersions: fields.contains { !$0.isAsterisk })
    }

    /// The first part of an entity tag, with or without its quotation mark.
    package init(named version: String) {
        let quote = UInt8(ascii: "\"")
        let tag = version.utf8.first == quote ? Array(version.utf8) : [quote] + version.utf8
        self.init(digests: EntityTag.recordDigests(in: tag[...]))
    }
}

extension ArraySlice<UInt8> {
    var isAsterisk: Bool { count == 1 && first == UInt8(ascii: "*") }
}
