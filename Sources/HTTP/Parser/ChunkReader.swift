import Bytes

/// The state of a chunked body (RFC 9112, section 7.1):
///
///     chunked-body = *( 1*HEXDIG [ chunk-ext ] CRLF chunk-data CRLF ) 1*"0" [ chunk-ext ] CRLF *( field-line CRLF )
///     CRLF
///     chunk-ext    = *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )
struct ChunkReader: Equatable {
    enum Place: Equatable {
        case size(digits: Int)
        case blankBeforeExtension, extensionStart, extensionName, blankAfterName
        case valueStart, value, quoted, quotedPair, quotedEnd, sizeLineFeed
        case data, dataCarriageReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
    }

    var place = Place.size(digits: 0)
    /// While it is read the size of the chunk, then the missing bytes of its data.
    var remaining: UInt64 = 0
    /// Of extensions and trailers.
    var overhead = 0

    /// For a byte that is not data; true for the last byte of the body.
    mutating func take(_ byte: UInt8, overheadLimit: Int) throws(ParseFailure) -> Bool {
        switch place {
        case .size(let digits): try takeSize(byte, digits)
        case .blankBeforeExtension, .extensionStart, .extensionName, .blankAfterName, .valueStart, .value, .quoted,
            .quotedPair, .quotedEnd:
            try move(to: placeAfter(byte))
        case .sizeLineFeed: try expect(byte, ASCII.lineFeed, then: remaining == 0 ? .trailerStart : .data)
        case .data: break
        case .dataCarriageReturn: try expect(byte, ASCII.carriageReturn, then: .dataLineFeed)
        case .dataLineFeed: try expect(byte, ASCII.lineFeed, then: .size(digits: 0))
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed: try takeTrailer(byte)
        case .lastLineFeed:
            guard byte == ASCII.lineFeed else { throw .badChunk }
            return true
        }
        if overhead > overheadLimit { throw .chunkOverheadTooLong }
        return false
    }

    private mutating func takeSize(_ byte: UInt8, _ digits: Int) throws(ParseFailure) {
        if let value = ASCII.hexValue(byte) {
            guard digits < 16 else { throw .badChunk }
            remaining = remaining << 4 | UInt64(value)
            place = .size(digits: digits + 1)
            return
        }
        guard digits > 0 else { throw .badChunk }
        try move(to: placeAfterWhole(byte, blank: .blankBeforeExtension))
    }

    private mutating func move(to next: Place?) throws(ParseFailure) {
        guard let next else { throw .badChunk }
        place = next
        if next != .sizeLineFeed { overhead += 1 }
    }

    /// After the size; nil when the byte is not allowed there.
    private func placeAfter(_ byte: UInt8) -> Place? {
        let isBlank = RequestHead.isBlank(byte)
        let isToken = ASCII.isTokenCharacter(byte)
        switch place {
        case .extensionStart: return isBlank ? .extensionStart : isToken ? .extensionName : nil
        case .extensionName where isToken: return .extensionName
        case .extensionName where byte == UInt8(ascii: "="), .blankAfterName where byte == UInt8(ascii: "="):
            return .valueStart
        case .extensionName: return placeAfterWhole(byte, blank: .blankAfterName)
        case .valueStart where byte == UInt8(ascii: "\""): return .quoted
        case .valueStart: return isBlank ? .valueStart : isToken ? .value : nil
        case .value where isToken: return .value
        case .quoted where byte == UInt8(ascii: "\""): return .quotedEnd
        case .quoted where byte == UInt8(ascii: "\\"): return .quotedPair
        case .quoted, .quotedPair: return ASCII.isFieldCharacter(byte) ? .quoted : nil
        case .value, .quotedEnd: return placeAfterWhole(byte, blank: .blankBeforeExtension)
        default: return byte == UInt8(ascii: ";") ? .extensionStart : isBlank ? place : nil
        }
    }

    /// The same after a byte that may be the last of its line.
    private func placeAfterWhole(_ byte: UInt8, blank: Place) -> Place? {
        if byte == ASCII.carriageReturn { return .sizeLineFeed }
        return byte == UInt8(ascii: ";") ? .extensionStart : RequestHead.isBlank(byte) ? blank : nil
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(ParseFailure) {
        overhead += 1
        switch place {
        case .trailerStart where byte == ASCII.carriageReturn: place = .lastLineFeed
        case .trailerName where byte == UInt8(ascii: ":"): place = .trailerValue
        case .trailerStart, .trailerName:
            guard ASCII.isTokenCharacter(byte) else { throw .badFieldName }
            place = .trailerName
        case .trailerValue where byte == ASCII.carriageReturn: place = .trailerLineFeed
        case .trailerValue:
            guard ASCII.isFieldCharacter(byte) else { throw .badFieldValue }
        default: try expect(byte, ASCII.lineFeed, then: .trailerStart)
        }
    }

    private mutating func expect(_ byte: UInt8, _ wanted: UInt8, then next: Place) throws(ParseFailure) {
        guard byte == wanted else { throw .badChunk }
        place = next
    }
}

extension RequestParser {
    mutating func nextOfChunkedBody(_ input: Span<UInt8>, _ offset: inout Int) -> Step {
        while offset < input.count {
            do throws(ParseFailure) {
                if chunk.place == .data {
                    try takeChunkData(input, &offset)
                    continue
                }
                let isLast = try chunk.take(input[offset], overheadLimit: limits.chunkOverhead)
                offset += 1
                if isLast {
                    state = .complete
                    return .complete
                }
            } catch {
                return fail(error)
            }
            if chunk.place == .data, chunk.remaining > UInt64(max(0, bodyLimit - bodyBytes)) {
                return fail(.bodyTooLarge)
            }
        }
        return .needMore
    }

    private mutating func takeChunkData(_ input: Span<UInt8>, _ offset: inout Int) throws(ParseFailure) {
        let count = Int(min(chunk.remaining, UInt64(input.count - offset)))
        try takeBody(input, offset..<(offset + count))
        offset += count
        chunk.remaining -= UInt64(count)
        if chunk.remaining == 0 { chunk.place = .dataCarriageReturn }
    }
}
