import Bytes

extension String {
    /// Without spaces, tabs and no-break spaces around it.
    package var trimmed: String {
        withUTF8Bytes { bytes in
            let rest = bytes[...].trimmed
            return rest.count == bytes.count ? self : String(decoding: rest, as: UTF8.self)
        }
    }

    /// Marks of direction and spaces without width come with what is copied from telephones and web pages.
    package var withoutInvisibleEnds: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.isInvisible { scalars.removeFirst() }
        while let last = scalars.last, last.isInvisible { scalars.removeLast() }
        return String(scalars)
    }

    package var withoutInvisible: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let scalars = unicodeScalars.filter { !$0.hasNoWidth }.map { $0.properties.isWhitespace ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    package var trimmed: Self {
        var rest = self
        while let count = rest.spaceAtStart { rest = rest.dropFirst(count) }
        while let count = rest.spaceAtEnd { rest = rest.dropLast(count) }
        return rest
    }

    /// The length in bytes. A no-break space often comes with a cell that is copied from a web page.
    private var spaceAtStart: Int? {
        guard let first else { return nil }
        if Self.isSpace(first) { return 1 }
        return first == 0xC2 && dropFirst().first == 0xA0 ? 2 : nil
    }

    private var spaceAtEnd: Int? {
        guard let last else { return nil }
        if Self.isSpace(last) { return 1 }
        return last == 0xA0 && dropLast().last == 0xC2 ? 2 : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
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
