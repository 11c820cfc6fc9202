import Glibc

/// Writes the requests of a load, one after the other.
struct RequestSource {
    private let targets: [RequestTemplate]
    private let body: RequestTemplate?
    private let method: [UInt8]
    /// What follows the target, up to where the length of the body goes: for each account, which take turns.
    private let fields: [[UInt8]]
    private var random: Random
    private var count = 0

    init(_ options: LoadOptions) {
        (targets, body, random) = (options.targets, options.body, Random(state: options.seed))
        method = Array("\(options.method) ".utf8)
        let tokens = getenv("SOOKE_TOKEN").map { String(cString: $0) }?.split(separator: " ") ?? []
        let credentials = tokens.isEmpty ? [""] : tokens.map { "Authorization: Bearer \($0)\r\n" }
        let type = body == nil ? "" : "Content-Type: application/json\r\n"
        fields = credentials.map { Array(" HTTP/1.1\r\nHost: \(options.authority)\r\n\($0)\(type)".utf8) }
    }

    /// The next request.
    mutating func next() -> [UInt8] {
        count += 1
        var request = method
        targets[Int.random(in: 0..<targets.count, using: &random)]
            .append(to: &request, number: count, random: &random)
        request += fields[count % fields.count]
        guard let body else { return request + "\r\n".utf8 }
        var text: [UInt8] = []
        body.append(to: &text, number: count, random: &random)
        request += "Content-Length: \(text.count)\r\n\r\n".utf8
        return request + text
    }
}
