/// A text with places that are filled in again for each request: `{A..B}` with a random whole number from A to B, `{n}`
/// with the number of the request. Every other brace represents itself, so that JSON needs no escapes.
struct RequestTemplate {
    private enum Piece {
        case literal([UInt8])
        case random(ClosedRange<Int>)
        case number
    }

    private var pieces: [Piece] = []

    init(_ text: String) {
        var rest = text[...]
        var literal = ""
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}"),
                let piece = Self.piece(rest[..<end].dropFirst())
            {
                pieces += [.literal(Array(literal.utf8)), piece]
                literal = ""
                rest = rest[end...].dropFirst()
            } else {
                literal.append(character)
                rest.removeFirst()
            }
        }
        pieces.append(.literal(Array(literal.utf8)))
    }

    /// Appends the text for a request.
    func append(to bytes: inout [UInt8], number: Int, random: inout Random) {
        for piece in pieces {
            switch piece {
            case .literal(let text): bytes += text
            case .number: bytes += "\(number)".utf8
            case .random(let range): bytes += "\(Int.random(in: range, using: &random))".utf8
            }
        }
    }

    /// What stands between braces; nil when it is no place to fill in.
    private static func piece(_ text: Substring) -> Piece? {
        if text == "n" { return .number }
        let bounds = text.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else { return nil }
        return .random(first...last)
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same seed gives the same requests.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
