import Glibc

/// Writes the requests of a load, one after the other.
struct RequestSource {
    private let targets: [RequestTemplate]
    private let body: RequestTemplate?
    private let method: [UInt8]
    /// What follows the target, up to where the length of the body goes: for each account, which take turns.
    private let fields: [[UInt8]]
    private var count = 0

    init(_ options: LoadOptions) {
        (targets, body, method) = (options.targets, options.body, Array("\(options.method) ".utf8))
        let tokens = getenv("SOOKE_TOKEN").map { String(cString: $0) }?.split(separator: " ") ?? []
        let credentials = tokens.isEmpty ? [""] : tokens.map { "Authorization: Bearer \($0)\r\n" }
        let type = body == nil ? "" : "Content-Type: application/json\r\n"
        fields = credentials.map { Array(" HTTP/1.1\r\nHost: \(options.authority)\r\n\($0)\(type)".utf8) }
    }

    mutating func next() -> [UInt8] {
        count += 1
        var request = method
        targets[Int.random(in: 0..<targets.count)].append(to: &request, number: count)
        request += fields[count % fields.count]
        guard let body else { return request + "\r\n".utf8 }
        var text: [UInt8] = []
        body.append(to: &text, number: count)
        return request + "Content-Length: \(text.count)\r\n\r\n".utf8 + text
    }
}

/// A text that is filled in again for each request: `{A..B}` with a random whole number from A to B, `{n}` with the
/// number of the request. Every other brace represents itself, so that JSON needs no escapes.
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
            if character == "{", let end = rest.firstIndex(of: "}"), let piece = Self.piece(rest[..<end].dropFirst()) {
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

    func append(to bytes: inout [UInt8], number: Int) {
        for piece in pieces {
            switch piece {
            case .literal(let text): bytes += text
            case .number: bytes += "\(number)".utf8
            case .random(let range): bytes += "\(Int.random(in: range))".utf8
            }
        }
    }

    private static func piece(_ text: Substring) -> Piece? {
        if text == "n" { return .number }
        let bounds = text.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else { return nil }
        return .random(first...last)
    }
}
