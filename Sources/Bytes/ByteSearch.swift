public struct ByteSearch: Sendable {
    private let needle: [UInt8]

    public init(for needle: [UInt8]) {
        self.needle = needle
    }

    /// The first occurrence in a text, from an offset on; nil when there is none. An empty needle occurs everywhere.
    public func firstMatch(in text: Span<UInt8>, from start: Int = 0) -> Int? {
        guard let first = needle.first else { return start <= text.count ? start : nil }
        var place = start
        while place <= text.count - needle.count {
            if text[place] == first {
                var length = 1
                while length < needle.count, text[place + length] == needle[length] { length += 1 }
                if length == needle.count { return place }
            }
            place += 1
        }
        return nil
    }
}

extension [UInt8] {
    public func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return firstIndex(of: byte, in: start..<count)
    }

    public func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        withUnsafeBytes { $0[range].firstIndex(of: byte) }
    }
}
