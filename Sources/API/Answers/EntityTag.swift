import Bytes

/// A strong entity tag (RFC 9110, section 8.8.3): a digest of the body, so equal tags mean equal bytes.
struct EntityTag {
    /// The tag with its quotation marks.
    let bytes: [UInt8]

    init(of body: [UInt8]) {
        var bytes = [UInt8](#"""#)
        bytes.reserveCapacity(18)
        bytes.append(hex: XXH64.digest(body.span))
        bytes.append("\"")
        self.bytes = bytes
    }

    /// A tag as it stands in a field.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether an `If-None-Match` field lists the tag, weak or strong (RFC 9110, section 13.1.2).
    ///
    /// `*` lists no tag: the town's app expects a body for it.
    func isListed(in field: some Collection<UInt8>) -> Bool {
        isListed(in: field, takesWeak: true)
    }

    /// Whether an `If-Match` field lists the tag; a weak one proves nothing there (RFC 9110, section 13.1.1).
    func isListedStrongly(in field: some Collection<UInt8>) -> Bool {
        isListed(in: field, takesWeak: false)
    }

    private func isListed(in field: some Collection<UInt8>, takesWeak: Bool) -> Bool {
        field.split(separator: UInt8(ascii: ",")).contains { item in
            var tag = item.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if takesWeak, tag.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")]) { tag = tag.dropFirst(2) }
            return tag.starts(with: bytes)
                && tag.dropFirst(bytes.count).allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        }
    }
}
