extension String {
    /// The text without spaces and tabs around it.
    var trimmed: String {
        let rest = unicodeScalars.drop(while: Self.isSpace)
        guard let last = rest.lastIndex(where: { !Self.isSpace($0) }) else { return "" }
        return String(rest[...last])
    }

    /// The no-break space is what comes along when a cell is copied from a page.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\u{A0}"
    }
}
