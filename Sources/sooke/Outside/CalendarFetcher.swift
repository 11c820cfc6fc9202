import Bytes
import HTTP
import Platform
import Service

/// Fetches calendars by curl. Who adds an address must not reach this machine and its networks by it: each host is
/// resolved first, and curl connects to nothing else.
struct CalendarFetcher: Sendable {
    let curl: Curl
    let client: OutsideClient
    let console: Console
    /// Hosts with a port that may be in a private network; nil for all.
    var privateHosts: Set<String>? = []
    var authority: String?

    static let longest = 8 << 20
    private static let (hops, seconds) = (3, 20)
    /// After the body, a line each.
    private static let facts = ["http_code", "redirect_url", "header{etag}", "header{last-modified}", "exitcode"]
    /// What its exit codes mean. Its messages name the host, which only some may know.
    private static let problems = [
        "7": "its server takes no connections", "18": "its server stopped halfway", "28": "its server is too slow",
        "35": "its server has no working TLS", "52": "its server said nothing", "56": "its server cut the connection",
        "60": "the certificate of its server is not valid", "63": "it is larger than 8 MiB",
    ]

    /// False when none is due.
    func fetchNext() throws(CommandError) -> Bool {
        guard let request = try client.ask(AdminCall(.get, OutsideSocket.dueCalendar)) else { return false }
        let whose = ["calendar", "check"].compactMap { name in request[name].map { (name, $0) } }
        let answer = fetch(
            try request.required("address"), agent: request["agent"] ?? "Sooke",
            etag: request["etag"], lastModified: request["last_modified"])
        let facts = [
            ("outcome", answer.outcome.rawValue), ("etag", answer.etag ?? ""), ("words", answer.words ?? ""),
            ("last_modified", answer.lastModified ?? ""),
        ]
        let query = (whose + facts).map { "\($0)=\(PercentCoding.encode($1.utf8))" }.joined(separator: "&")
        var call = AdminCall(.post, "\(OutsideSocket.fetched)?\(query)", body: answer.bytes)
        call.bodyType = "text/calendar"
        _ = try client.ask(call)
        return true
    }

    private func fetch(_ text: String, agent: String, etag: String?, lastModified: String?) -> FetchedAnswer {
        var text = text
        for _ in 0...Self.hops {
            guard let address = WebAddress(text) else { return .failed("it leads to something that is not the web") }
            switch resolve(address) {
            case .failure(let words): return .failed(words.text)
            case .success(let addresses):
                var options: [(String, String?)] = [
                    ("url", address.text), ("resolve", address.pinned(to: addresses)), ("proto", "=http,https"),
                    ("max-time", "\(Self.seconds)"), ("max-filesize", "\(Self.longest)"), ("user-agent", agent),
                    ("write-out", Self.facts.map { "\\n%\($0.contains("{") ? $0 : "{\($0)}")" }.joined()),
                    ("silent", nil),
                ]
                if let etag, !etag.isEmpty { options.append(("header", "If-None-Match: \(etag)")) }
                if let lastModified, !lastModified.isEmpty {
                    options.append(("header", "If-Modified-Since: \(lastModified)"))
                }
                if let authority { options.append(("cacert", authority)) }
                let (output, _) = curl.run(options, limit: Self.longest + (64 << 10))
                switch answer(output) {
                case .end(let answer): return answer
                case .hop(let target): text = target
                }
            }
        }
        return .failed("it leads on to another address more than \(Self.hops) times")
    }

    private enum Next { case end(FetchedAnswer), hop(String) }

    private func answer(_ output: [UInt8]) -> Next {
        var (end, facts) = (output.count, [String]())
        for _ in Self.facts {
            guard let start = output[..<end].lastIndex(of: ASCII.lineFeed) else { break }
            facts.insert(String(decoding: output[(start + 1)..<end], as: UTF8.self), at: 0)
            end = start
        }
        guard facts.count == Self.facts.count, let status = Int(facts[0]) else {
            return .end(.failed("it sends more than \(Self.longest >> 20) MiB, or takes too long"))
        }
        if facts[4] != "0" {
            return .end(.failed(Self.problems[facts[4]] ?? "it could not be fetched (curl's exit code \(facts[4]))"))
        }
        if 301...308 ~= status, status != 304, !facts[1].isEmpty { return .hop(facts[1]) }
        var answer = FetchedAnswer(status == 304 ? .unchanged : .good, Array(output[..<end]))
        (answer.etag, answer.lastModified) = (facts[2].fact, facts[3].fact)
        if status != 200, status != 304 { answer = .failed("its server answers with \(status)") }
        return .end(answer)
    }

    private struct Words: Error { let text: String }

    /// All addresses of a host, if none is in a private network: a name can lead to both.
    private func resolve(_ address: WebAddress) -> Result<[SocketAddress], Words> {
        let (output, _) = Subprocess.run(
            "/usr/bin/getent", ["ahosts", address.host], input: [], secondInput: [], limit: 64 << 10,
            timeLimit: Self.seconds * 1_000)
        let lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
        let found = lines.compactMap { line in
            line.split(separator: " ").first.flatMap { SocketAddress(host: String($0), port: address.port) }
        }
        if found.isEmpty { return .failure(Words(text: "there is no such host")) }
        let mayBePrivate = privateHosts?.contains("\(address.host):\(address.port)") ?? true
        guard mayBePrivate || found.allSatisfy(\.isOfInternet) else {
            return .failure(Words(text: "its host is in a private network"))
        }
        var hosts: Set<String> = []
        return .success(found.filter { hosts.insert($0.host).inserted })
    }
}

extension FetchedAnswer {
    fileprivate static func failed(_ words: String) -> FetchedAnswer {
        var answer = FetchedAnswer(.failed)
        answer.words = words.withoutControls.prefix(bytes: 300)
        return answer
    }
}

extension String {
    /// Of a header, to be sent again; nil for one that is empty or long.
    fileprivate var fact: String? {
        let text = trimmed.withoutControls
        return text.isEmpty || text.utf8.count > 200 ? nil : text
    }
}
