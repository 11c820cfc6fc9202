/// Text from outside is compared, looked up and cut by its UTF-8 bytes.
///
/// `==`, `hash(into:)`, `<` and everything that counts or cuts by `Character` normalize text or look for its grapheme
/// clusters first, which takes quadratic time for a long run of combining marks.
extension String {
    /// Whether another text has the same UTF-8 bytes. To `==` some other spellings in Unicode are the same text, too.
    public func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// The text for a message: the beginning that fits into `limit` bytes, cut between two scalars, with `…` where more
    /// follows.
    public func excerpt(bytes limit: Int = 80) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return String(decoding: utf8[..<end], as: UTF8.self) + "…"
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The case of a name that comes from outside, compared byte by byte.
    public init?(named name: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = found
    }
}
