extension String {
    /// The text without surrounding spaces and tabs.
    var trimmed: String {
        let rest = unicodeScalars.drop(while: Self.isSpace)
        guard let last = rest.lastIndex(where: { !Self.isSpace($0) }) else { return "" }
        return String(rest[...last])
    }

    /// A no-break space often comes with a cell that is copied from a web page.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\u{A0}"
    }
}
