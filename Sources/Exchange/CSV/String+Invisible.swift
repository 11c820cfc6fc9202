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

extension String {
    /// The text without characters that nobody sees, and with plain spaces, for names that are compared.
    var withoutInvisible: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let scalars = unicodeScalars.filter { !$0.hasNoWidth }.map { $0.properties.isWhitespace ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool { hasNoWidth || properties.isWhitespace }

    fileprivate var hasNoWidth: Bool {
        switch value {
        case 0xAD, 0x34F, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF:
            true
        default: false
        }
    }
}
