extension String {
    /// The text without white space and invisible characters around it, such as the marks of direction and the spaces
    /// without width that come with what is copied from telephones and web pages.
    var withoutInvisibleEnds: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.isInvisible { scalars.removeFirst() }
        while let last = scalars.last, last.isInvisible { scalars.removeLast() }
        return String(scalars)
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch value {
        case 0xAD, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: properties.isWhitespace
        }
    }
}
