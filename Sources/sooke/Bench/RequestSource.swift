import Bytes
import HTTP

/// Writes the requests of a load, one after the other: the same seed gives the same requests.
struct RequestSource: Sendable {
    let method: HTTP.Method
    private let targets: [RequestTemplate]
    private let body: RequestTemplate?
    /// What follows the target, up to where the body's length goes.
    private let fields: [UInt8]
    private var random: SplitMix64
    private var bodyBytes: [UInt8] = []
    /// How many requests were written.
    private(set) var count = 0

    /// A source of requests.
    ///
    /// - Parameters:
    ///   - targets: path and query; each request takes one at random. At least one.
    ///   - fields: name and value of further fields, checked with `checkedField`.
    init(
        method: HTTP.Method, authority: String, targets: [RequestTemplate], body: RequestTemplate?,
        fields: [(name: String, value: String)], seed: UInt64
    ) {
        precondition(!targets.isEmpty, "a request asks for something")
        (self.method, self.targets, self.body) = (method, targets, body)
        random = SplitMix64(seed: seed)
        var head = " HTTP/1.1\r\nHost: \(authority)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        let namesType = fields.contains { ASCII.equalIgnoringCase($0.name.utf8, "content-type".utf8) }
        if body != nil, !namesType { head += "Content-Type: application/json\r\n" }
        self.fields = Array(head.utf8)
    }

    /// Appends the next request.
    mutating func appendNext(to bytes: inout [UInt8]) {
        count += 1
        bytes.append(method.name)
        bytes.append(UInt8(ascii: " "))
        let target = targets.count == 1 ? 0 : random.below(targets.count)
        targets[target].append(to: &bytes, number: count, random: &random)
        bytes.append(contentsOf: fields)
        guard let body else { return bytes.append("\r\n") }
        bodyBytes.removeAll(keepingCapacity: true)
        body.append(to: &bodyBytes, number: count, random: &random)
        bytes.append("Content-Length: ")
        bytes.append(decimal: bodyBytes.count)
        bytes.append("\r\n\r\n")
        bytes.append(contentsOf: bodyBytes)
    }

    /// The name and value of a field that was written as `Name: value`.
    ///
    /// - Parameter place: where it was given.
    static func checkedField(
        _ text: String, _ place: String = "--header"
    ) throws(CommandError) -> (name: String, value: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(ASCII.isTokenCharacter),
            parts[1].utf8.allSatisfy({ !ASCII.isControl($0) || $0 == UInt8(ascii: "\t") })
        else {
            throw CommandError(.usage, "\(place) is no field; write it as in 'Accept: text/csv', without line breaks")
        }
        return (String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
}
