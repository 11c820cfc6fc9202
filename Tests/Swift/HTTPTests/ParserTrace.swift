import Testing

@testable import HTTP

/// The result of a parser as text: one line per request or refusal.
struct ParserTrace {
    private var parser: RequestParser
    private var lines: [String] = []
    private let bodyLimit: Int

    /// The outcome of a text fed whole, checked to be the same byte by byte and split in two at every offset.
    ///
    /// Returns what was found for the first portions that differ.
    static func of(_ text: String, limits: HTTPLimits = HTTPLimits(), bodyLimit: Int = 1 << 20) -> [String] {
        of(Array(text.utf8), limits: limits, bodyLimit: bodyLimit)
    }

    /// The same for bytes that are no UTF-8, split at the given offsets only where that is said.
    static func of(
        _ bytes: [UInt8], limits: HTTPLimits = HTTPLimits(), bodyLimit: Int = 1 << 20, splits: [Int]? = nil
    ) -> [String] {
        func run(_ pieces: [ArraySlice<UInt8>]) -> [String] {
            var trace = ParserTrace(limits, bodyLimit)
            for piece in pieces { trace.feed(Array(piece)) }
            return trace.outcome
        }
        let whole = run([bytes[...]])
        let single = run(bytes.indices.map { bytes[$0...$0] })
        if single != whole { return ["byte by byte:"] + single + ["instead of:"] + whole }
        for offset in splits ?? Array(bytes.indices) {
            let split = run([bytes[..<offset], bytes[offset...]])
            if split != whole { return ["split at \(offset):"] + split + ["instead of:"] + whole }
        }
        return whole
    }

    private init(_ limits: HTTPLimits, _ bodyLimit: Int) {
        parser = RequestParser(limits: limits)
        self.bodyLimit = bodyLimit
    }

    private mutating func feed(_ bytes: [UInt8]) {
        var offset = 0
        while true {
            switch parser.next(bytes.span, &offset) {
            case .needMore: return
            case .failed(let failure):
                if lines.last != "\(failure)" { lines.append("\(failure)") }
                return
            case .head: takeHead()
            case .complete: takeRequest()
            }
        }
    }

    private mutating func takeHead() {
        if let refusal = parser.head.refusal {
            lines.append("refused: \(refusal)")
            parser.discardBody()
        } else {
            parser.receiveBody(limit: bodyLimit)
        }
    }

    private mutating func takeRequest() {
        if parser.keepsBody, let request = parser.request(from: .local(uid: 0, pid: 0)) {
            var line = "\(request.method.name) \(String(decoding: request.path.encoded, as: UTF8.self))"
            if !request.query.isEmpty { line += " ?\(String(decoding: request.query.encoded, as: UTF8.self))" }
            line += " @\(String(decoding: request.authority, as: UTF8.self))"
            if !request.body.isEmpty { line += " [\(String(decoding: request.body, as: UTF8.self))]" }
            if parser.head.expectsContinue { line += " expects" }
            if !parser.head.keepsAlive { line += " closes" }
            lines.append(line)
        }
        parser.finish()
    }

    private var outcome: [String] {
        parser.isInsideRequest && !isFailed ? lines + ["unfinished"] : lines
    }

    private var isFailed: Bool {
        if case .failed = parser.state { true } else { false }
    }
}
