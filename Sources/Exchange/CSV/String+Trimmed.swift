import Bytes

extension String {
    /// The text without surrounding spaces and tabs.
    var trimmed: String {
        withUTF8Bytes { bytes in
            let rest = bytes[...].trimmed
            return rest.count == bytes.count ? self : String(decoding: rest, as: UTF8.self)
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The UTF-8 text without surrounding spaces and tabs.
    var trimmed: Self {
        var rest = self
        while let count = rest.spaceAtStart { rest = rest.dropFirst(count) }
        while let count = rest.spaceAtEnd { rest = rest.dropLast(count) }
        return rest
    }

    /// The length of the space at the start, in bytes; nil when there is none. A no-break space often comes with a cell
    /// that is copied from a web page.
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
