import Bytes

/// Parses the request target, RFC 9112, section 3.2.
extension RequestHead {
    /// Finds path and query. An absolute-form target determines the authority, whatever `Host` contains.
    mutating func resolveTarget() throws(ParseFailure) {
        let whole = target.range
        guard method != nil else { return }
        if method == .options, bytes.span.extracting(whole).equals("*") { return }

        var start = whole.lowerBound
        if bytes[start] != UInt8(ascii: "/") {
            guard let authorityStart = Self.endOfScheme(bytes.span, whole) else { throw .badTarget }
            start = authorityStart
            while start < whole.upperBound, !Self.endsAuthority(bytes[start]) { start += 1 }
            guard Authority.isValid(bytes.span.extracting(authorityStart..<start)) else { throw .badHost }
            authority = ByteRange(authorityStart..<start)
        }
        var end = whole.upperBound
        if targetTraits.contains(.questionMark) {
            end = start
            while end < whole.upperBound, bytes[end] != UInt8(ascii: "?") { end &+= 1 }
            if end < whole.upperBound { query = ByteRange((end + 1)..<whole.upperBound) }
        }
        let mayHaveDots = !targetTraits.isDisjoint(with: [.dot, .percent])
        if end == start || mayHaveDots && Self.startsSegmentWithDot(bytes.span, start..<end) {
            try rewritePath(start..<end)
        } else {
            path = ByteRange(start..<end)
        }
        if refusal == nil, !targetTraits.isDisjoint(with: [.percent, .nonASCII]) {
            refusal = Self.badText(bytes.span, start..<whole.upperBound)
        }
    }

    /// The start of the authority of `http://authority…` or `https://authority…`; nil for another target.
    private static func endOfScheme(_ bytes: Span<UInt8>, _ target: Range<Int>) -> Int? {
        let text = bytes.extracting(target)
        if text.count > 7, text.extracting(0..<7).equalsIgnoringCase("http://") { return target.lowerBound + 7 }
        if text.count > 8, text.extracting(0..<8).equalsIgnoringCase("https://") { return target.lowerBound + 8 }
        return nil
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
    }

    /// Whether a segment begins with a dot, escaped or not, and so may be a dot segment.
    private static func startsSegmentWithDot(_ bytes: Span<UInt8>, _ path: Range<Int>) -> Bool {
        var previous: UInt8 = 0
        for index in path {
            let byte = bytes[index]
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }

    /// The error in the decoded text of a path and a query: NUL, or bytes that are not UTF-8. Every byte may be
    /// escaped; a `%` without two digits is accepted here and left to the route.
    private static func badText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ParseFailure? {
        // The text from the first byte that is not ASCII on.
        var text: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 1 < range.upperBound, let high = ASCII.hexValue(bytes[index]),
                let low = ASCII.hexValue(bytes[index + 1])
            {
                byte = high << 4 | low
                index += 2
                if byte == 0 { return .nulInTarget }
            }
            if byte >= 0x80 || !text.isEmpty { text.append(byte) }
        }
        return text.isEmpty || String(validUTF8: text) != nil ? nil : .targetNotUTF8
    }

    /// Appends the path without dot segments (RFC 3986, section 5.2.4) to the head.
    private mutating func rewritePath(_ range: Range<Int>) throws(ParseFailure) {
        let start = byteCount
        var segments = SegmentCursor(range)
        var endsInDots = false
        while let segment = segments.next(in: bytes.span) {
            let dots = Self.dotCount(bytes.span.extracting(segment))
            endsInDots = dots > 0
            if dots == 0 {
                append(UInt8(ascii: "/"))
                for index in segment { append(bytes[index]) }
            } else if dots == 2 {
                guard byteCount > start else { throw .aboveRoot }
                repeat { removeLast(1) } while bytes[byteCount] != UInt8(ascii: "/")
            }
        }
        if endsInDots || byteCount == start { append(UInt8(ascii: "/")) }
        path = ByteRange(start..<byteCount)
    }

    /// 1 for `.`, 2 for `..`, their dots escaped or not; 0 for any other segment.
    private static func dotCount(_ segment: Span<UInt8>) -> Int {
        var (index, dots) = (0, 0)
        while index < segment.count {
            if segment[index] == UInt8(ascii: ".") {
                index += 1
            } else if index + 3 <= segment.count, segment.extracting(index..<(index + 3)).equalsIgnoringCase("%2e") {
                index += 3
            } else {
                return 0
            }
            dots += 1
        }
        return dots <= 2 ? dots : 0
    }
}
