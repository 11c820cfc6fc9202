/// Text from clients is compared, looked up and cut by its UTF-8 bytes.
///
/// `==`, `hash(into:)`, `<` and all operations on `Character` normalize text or compute its grapheme clusters first,
/// which takes quadratic time for a long run of combining marks.
extension String {
    /// Whether another text has the same UTF-8 bytes. `==` also treats some other encodings of the same characters as
    /// equal.
    public func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// The text for a message: a prefix of at most `limit` bytes, cut between two scalars, with `…` if text follows.
    public func excerpt(bytes limit: Int = 80) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return String(decoding: utf8[..<end], as: UTF8.self) + "…"
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The case with a name from a client, compared byte by byte.
    public init?(named name: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = found
    }
}
