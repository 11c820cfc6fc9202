import Bytes

extension RequestHead {
    /// - Throws: when the framing or the host is ambiguous. Other errors become `refusal`.
    mutating func complete() throws(ParseFailure) {
        var framing = Framing()
        for index in 0..<fieldCount { try framing.take(fields[index], of: bytes.span) }
        try adopt(framing)
        try resolveTarget()
        if refusal == nil, framing.repeatsField { refusal = .repeatedField }
        if refusal == nil, framing.hasUnknownExpectation { refusal = .unknownExpectation }
    }

    private mutating func adopt(_ framing: Framing) throws(ParseFailure) {
        if framing.isChunked {
            guard !framing.hasLength else { throw .ambiguousLength }
            guard !isVersion10 else { throw .badTransferEncoding }
        }
        isChunked = framing.isChunked
        contentLength = framing.length
        expectsContinue = framing.expectsContinue && !isVersion10
        keepsAlive = !framing.requestsClose && (!isVersion10 || framing.requestsKeepAlive)
        if let host = framing.host {
            authority = host
        } else if !isVersion10 {
            throw .missingHost
        }
    }
}

private struct Framing {
    var host: ByteRange?
    var isChunked = false
    var hasLength = false
    var length = 0
    var requestsClose = false
    var requestsKeepAlive = false
    var expectsContinue = false
    var hasUnknownExpectation = false
    /// A proxy might interpret a repeated field differently.
    var repeatsField = false
    /// Those of them that were found, by the lengths of their names.
    private var unique: UInt32 = 0

    mutating func take(_ field: FieldRange, of bytes: Span<UInt8>) throws(ParseFailure) {
        let name = bytes.extracting(field.name.range)
        // Few fields have a name of these lengths, so most cost one comparison.
        switch name.count {
        case 4 where name.equalsIgnoringCase("Host"):
            guard host == nil else { throw .repeatedHost }
            guard Authority.isValid(bytes.extracting(field.value.range)) else { throw .badHost }
            host = field.value
        case 6 where name.equalsIgnoringCase("Expect"):
            if bytes.extracting(field.value.range).equalsIgnoringCase("100-continue") {
                expectsContinue = true
            } else {
                hasUnknownExpectation = true
            }
        case 10 where name.equalsIgnoringCase("Connection"):
            forEachListElement(of: bytes.extracting(field.value.range)) { element in
                if element.equalsIgnoringCase("close") { requestsClose = true }
                if element.equalsIgnoringCase("keep-alive") { requestsKeepAlive = true }
            }
        case 12 where name.equalsIgnoringCase("Content-Type"), 13 where name.equalsIgnoringCase("Authorization"),
            15 where name.equalsIgnoringCase("Idempotency-Key"):
            let bit: UInt32 = 1 << name.count
            repeatsField = repeatsField || unique & bit != 0
            unique |= bit
        case 14 where name.equalsIgnoringCase("Content-Length"):
            guard !hasLength, let value = Self.length(bytes.extracting(field.value.range)) else {
                throw .badContentLength
            }
            (hasLength, length) = (true, value)
        case 17 where name.equalsIgnoringCase("Transfer-Encoding"):
            guard !isChunked else { throw .badTransferEncoding }
            try Self.checkTransferEncoding(bytes.extracting(field.value.range))
            isChunked = true
        default: break
        }
    }

    /// `Content-Length = 1*DIGIT`, RFC 9110, section 8.6; here without leading zeros.
    private static func length(_ text: Span<UInt8>) -> Int? {
        guard !text.isEmpty, text.count == 1 || text[0] != UInt8(ascii: "0") else { return nil }
        var value = 0
        for index in text.indices {
            guard let digit = ASCII.decimalValue(text[index]) else { return nil }
            let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = shifted.addingReportingOverflow(digit)
            if overflows || overflowsToo { return nil }
            value = sum
        }
        return value
    }

    /// Another coding in a valid list is unsupported (501, RFC 9112, section 6.1); a list in which `chunked` is not the
    /// last, or is repeated, has no defined end (400).
    private static func checkTransferEncoding(_ text: Span<UInt8>) throws(ParseFailure) {
        if text.equalsIgnoringCase("chunked") { return }
        var isProper = true
        var sawChunked = false
        forEachListElement(of: text) { element in
            if element.isEmpty || sawChunked { isProper = false }
            for index in element.indices where !ASCII.isTokenCharacter(element[index]) { isProper = false }
            if element.equalsIgnoringCase("chunked") { sawChunked = true }
        }
        throw isProper ? .unknownTransferEncoding : .badTransferEncoding
    }
}

/// RFC 9110, section 5.6.1; without surrounding blanks.
private func forEachListElement(of text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: ",") {
        var (low, high) = (start, index)
        while low < high, RequestHead.isBlank(text[low]) { low += 1 }
        while high > low, RequestHead.isBlank(text[high - 1]) { high -= 1 }
        body(text.extracting(low..<high))
        start = index + 1
    }
}

/// `uri-host [ ":" port ]`, RFC 9110, section 7.2.
enum Authority {
    /// A nonempty host, with an optional port from 0 to 65535.
    static func isValid(_ text: Span<UInt8>) -> Bool {
        guard !text.isEmpty else { return false }
        var index = 0
        if text[0] == UInt8(ascii: "[") {
            index = 1
            while index < text.count, isAddressByte(text[index]) { index += 1 }
            guard index > 2, index < text.count, text[index] == UInt8(ascii: "]") else { return false }
            index += 1
        } else {
            // A dot may follow a name and separate its parts, none of which is empty.
            var previous = UInt8(ascii: ".")
            while index < text.count, ASCII.isHostCharacter(text[index]) {
                if text[index] == UInt8(ascii: "."), previous == UInt8(ascii: ".") { return false }
                previous = text[index]
                index += 1
            }
            guard index > 0 else { return false }
        }
        return index == text.count || isPort(text.extracting(index..<text.count))
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        ASCII.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isPort(_ text: Span<UInt8>) -> Bool {
        guard text[0] == UInt8(ascii: ":"), text.count <= 6 else { return false }
        var port = 0
        for index in 1..<text.count {
            guard let digit = ASCII.decimalValue(text[index]) else { return false }
            port = port * 10 + digit
        }
        return port <= 65_535
    }
}

/// RFC 9112, section 3.2.
extension RequestHead {
    /// An absolute-form target determines the authority, even against `Host`.
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

    /// After `http://` or `https://`; nil for another target.
    private static func endOfScheme(_ bytes: Span<UInt8>, _ target: Range<Int>) -> Int? {
        let text = bytes.extracting(target)
        if text.count > 7, text.extracting(0..<7).equalsIgnoringCase("http://") { return target.lowerBound + 7 }
        if text.count > 8, text.extracting(0..<8).equalsIgnoringCase("https://") { return target.lowerBound + 8 }
        return nil
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
    }

    /// Escaped or not: it may be a dot segment.
    private static func startsSegmentWithDot(_ bytes: Span<UInt8>, _ path: Range<Int>) -> Bool {
        var previous: UInt8 = 0
        for index in path {
            let byte = bytes[index]
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }

    /// NUL, or bytes that are not UTF-8, escaped or not. A `%` without two digits is left to the route.
    private static func badText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ParseFailure? {
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

    /// 1 for `.`, 2 for `..`, escaped or not; 0 for any other segment.
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
