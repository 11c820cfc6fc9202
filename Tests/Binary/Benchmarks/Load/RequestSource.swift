import Glibc

/// Writes the requests of a load, one after the other.
struct RequestSource {
    private let targets: [RequestTemplate]
    private let body: RequestTemplate?
    private let method: [UInt8]
    /// What follows the target, up to where the length of the body goes.
    private let fields: [UInt8]
    private var random: Random
    private var count = 0

    init(_ options: LoadOptions) {
        (targets, body, random) = (options.targets, options.body, Random(state: options.seed))
        method = Array("\(options.method) ".utf8)
        var head = " HTTP/1.1\r\nHost: \(options.authority)\r\n"
        if let token = getenv("SOOKE_TOKEN"), token.pointee != 0 {
            head += "Authorization: Bearer \(String(cString: token))\r\n"
        }
        if body != nil { head += "Content-Type: application/json\r\n" }
        fields = Array(head.utf8)
    }

    /// The next request.
    mutating func next() -> [UInt8] {
        count += 1
        var request = method
        targets[Int.random(in: 0..<targets.count, using: &random)]
            .append(to: &request, number: count, random: &random)
        request += fields
        guard let body else { return request + "\r\n".utf8 }
        var text: [UInt8] = []
        body.append(to: &text, number: count, random: &random)
        request += "Content-Length: \(text.count)\r\n\r\n".utf8
        return request + text
    }
}
