/// Text from clients is compared, looked up and cut by its UTF-8 bytes.
///
/// `==`, `hash(into:)`, `<` and all operations on `Character` normalize text or compute its grapheme clusters first,
/// which takes quadratic time for a long run of combining marks.
extension String {
    /// Whether another text has the same UTF-8 bytes, which `==` does not tell.
    @inlinable
    public func hasSameBytes(as other: String) -> Bool {
        withUTF8Bytes { bytes in
            other.withUTF8Bytes { bytes.count == $0.count && bytes.bytewiseOrder(to: $0) == 0 }
        }
    }

    /// Calls `body` with the UTF-8 bytes: several times as fast as the iterator of the view.
    @inlinable
    public func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }

    /// The text for a message: a prefix of at most `limit` bytes, cut between two scalars, with `…` if text follows.
    public func excerpt(bytes limit: Int = 80) -> String {
        utf8.count > limit ? prefix(bytes: limit) + "…" : self
    }

    /// A prefix of at most `limit` bytes, cut between two scalars.
    public func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { utf8.formIndex(before: &end) }
        return String(decoding: utf8[..<end], as: UTF8.self)
    }

    /// The text of a file with values for its holes, which are names between marks.
    public func filled(_ values: [String: String], between mark: Character = "|") -> String {
        split(separator: mark, omittingEmptySubsequences: false).enumerated()
            .map { $0 % 2 == 0 ? String($1) : values[String($1)] ?? "" }.joined()
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The case with a name from a client, compared byte by byte.
    public init?(named name: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = found
    }
}

public enum ShellWord {
    /// The text as one word of a POSIX shell; in quotes if it needs them.
    public static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 || "/._-+:@%,=".utf8.contains(byte)
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
