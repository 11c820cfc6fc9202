import Bytes

/// A text with places that are filled in anew for each request: `{A..B}` with a random whole number from A to B, `{n}`
/// with the number of the request. Every other brace stands for itself, so that JSON needs no escapes.
struct RequestTemplate: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case random(ClosedRange<Int>)
        case number
    }

    private var pieces: [Piece] = []

    /// The template that a text describes.
    ///
    /// - Throws: what is wrong with a range, as a sentence for the command line.
    init(_ text: String) throws(CommandError) {
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")),
                let piece = try Self.piece(rest[(rest.startIndex + 1)..<end])
            {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                pieces.append(piece)
                rest = rest[(end + 1)...]
            } else {
                literal.append(byte)
                rest.removeFirst()
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    /// Appends the text for a request.
    func append(to bytes: inout [UInt8], number: Int, random: inout SplitMix64) {
        for piece in pieces {
            switch piece {
            case .literal(let text): bytes.append(contentsOf: text)
            case .number: bytes.append(decimal: number)
            case .random(let range): bytes.append(decimal: range.lowerBound + random.below(range.count))
            }
        }
    }

    /// What stands between braces; nil when it is no place to fill in.
    private static func piece(_ text: ArraySlice<UInt8>) throws(CommandError) -> Piece? {
        if text.elementsEqual("n".utf8) { return .number }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, !parts[0].isEmpty, !parts[2].isEmpty,
            parts[0].allSatisfy(ASCII.isDigit), parts[2].allSatisfy(ASCII.isDigit)
        else { return nil }
        let bounds = [parts[0], parts[2]].map { Int(String(decoding: $0, as: UTF8.self)) ?? .max }
        guard bounds[0] <= bounds[1], bounds[1] <= largest else {
            throw CommandError(
                .usage,
                "{\(String(decoding: text, as: UTF8.self))} is no range; write {A..B} with A not above B, at most \(largest)"
            )
        }
        return .random(bounds[0]...bounds[1])
    }

    /// The generator draws from 31 bits.
    private static let largest = 1_000_000_000
}
