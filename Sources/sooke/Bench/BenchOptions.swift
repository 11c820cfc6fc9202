import Bytes
import HTTP

/// The command line of `sooke bench`, and the load that it asks for.
enum BenchOptions {
    enum Format: String, CaseIterable {
        case text, json
    }

    static let format = Parameter.option(
        "format", "FORMAT", ValueSyntax<Format>.choice(), default: "text", help: "How the figures are printed.")
    private static let connections = Parameter.option(
        "connections", "COUNT", ValueSyntax.count(of: "connections", in: 1...50_000), default: "64",
        help: "How many connections ask.")
    private static let seconds = Parameter.option(
        "seconds", "COUNT", ValueSyntax.count(of: "seconds", in: 1...3_600), default: "10",
        help: "How long requests are started.")
    private static let rate = Parameter<Int?>.optional(
        "rate", "COUNT", ValueSyntax.count(of: "requests", in: 1...1_000_000),
        help: "How many requests are due a second, over all connections.")
    private static let timeout = Parameter.option(
        "timeout", "SECONDS", ValueSyntax.count(of: "seconds", in: 1...600), default: "10",
        help: "How long an answer may take before it counts as failed.")
    private static let method = Parameter.option(
        "method", "METHOD", ValueSyntax.word(of: HTTP.Method.allCases.map { "\($0.name)" }), default: "GET",
        help: "What to ask for.")
    private static let body = Parameter<String?>.optional(
        "body", "TEXT", ValueSyntax.text("the text of a body"),
        help: "What to send with each request; JSON unless --header names another Content-Type.")
    private static let header = Parameter.repeated(
        "header", "FIELD", ValueSyntax.text("a field such as 'Accept: text/csv'"), help: "A field to send.")
    private static let targets = Parameter<String?>.optional(
        "targets", "FILE", ValueSyntax.file,
        help: "Paths with queries, one a line, that take the place of the URL's; each request draws one.")
    private static let seed = Parameter.option(
        "seed", "NUMBER", ValueSyntax.count(of: "draws", in: 0...Int.max), default: "1",
        help: "What random numbers begin with: the same seed asks the same.")
    private static let url = Parameter.required(
        "URL", ValueSyntax.text("an address such as http://127.0.0.1:8080/"), help: "What to ask, over plain HTTP.")

    /// All of them, in the order of help.
    static let descriptions = [
        connections.description, seconds.description, rate.description, timeout.description, method.description,
        body.description, header.description, targets.description, seed.description, format.description,
        url.description,
    ]

    /// The load that a command line asks for, and where to.
    static func load(
        _ invocation: Invocation
    ) throws(CommandError) -> (run: LoadRun, address: LoadAddress, connections: Int) {
        let address = try LoadAddress(try invocation[url])
        let count = try invocation[connections]
        try requireDescriptors(for: count)
        var fields: [(name: String, value: String)] = []
        for text in try invocation[header] { fields.append(try RequestSource.checkedField(text)) }
        if let token = invocation.console.environment["SOOKE_TOKEN"], !token.isEmpty {
            fields.append(try RequestSource.checkedField("Authorization: Bearer \(token)", "SOOKE_TOKEN"))
        }
        var templates: [RequestTemplate] = []
        for target in try targetTexts(invocation, address) { templates.append(try RequestTemplate(target)) }
        let name = try invocation[method]
        let source = RequestSource(
            method: HTTP.Method.allCases.first { "\($0.name)" == name } ?? .get, authority: address.authority,
            targets: templates, body: try (try invocation[body]).map(RequestTemplate.init), fields: fields,
            seed: UInt64(try invocation[seed]))
        let run = LoadRun(
            source: source, schedule: LoadSchedule(rate: try invocation[rate], seconds: try invocation[seconds]),
            connections: count, timeout: try invocation[timeout] * 1_000_000_000)
        return (run, address, count)
    }

    /// The lines of `--targets`, else the target of the URL.
    private static func targetTexts(
        _ invocation: Invocation, _ address: LoadAddress
    ) throws(CommandError) -> [String] {
        guard let name = try invocation[targets] else { return [address.target] }
        let bytes = try InputFile.read(name, invocation.console)
        var texts: [String] = []
        for (index, line) in bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: line.last == ASCII.carriageReturn ? line.dropLast() : line, as: UTF8.self)
            if !text.isEmpty { texts.append(try LoadAddress.checked(target: text, "\(name):\(index + 1)")) }
        }
        if texts.isEmpty {
            throw CommandError(.badData, "\(name) holds no path; write one a line, such as /api/v1/events")
        }
        return texts
    }

    private static func requireDescriptors(for connections: Int) throws(CommandError) {
        let needed = connections + 32
        let limit = DescriptorLimit.raise(to: needed)
        guard limit >= needed else {
            throw CommandError(
                .usage,
                "--connections \(connections) needs \(needed) descriptors and the system allows \(limit); see `ulimit -n`"
            )
        }
    }
}
