import Glibc

/// The command line.
struct LoadOptions {
    var connections = 64
    var seconds = 10
    var rate: Int?
    var timeout = 10
    var method = "GET"
    var body: RequestTemplate?
    var targets: [RequestTemplate] = []
    var authority = ""
    var address = sockaddr_in()

    init(_ words: ArraySlice<String>) {
        var words = words
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                read(word)
                continue
            }
            guard let value = words.popFirst() else { fail("\(word) takes a value") }
            switch word {
            case "--connections": connections = Self.number(value)
            case "--seconds": seconds = Self.number(value)
            case "--rate": rate = Self.number(value)
            case "--timeout": timeout = Self.number(value)
            case "--method": method = value
            case "--body": body = RequestTemplate(value)
            case "--targets":
                guard dup2(open(value, O_RDONLY), STDIN_FILENO) == STDIN_FILENO else { fail("cannot read \(value)") }
                while let line = readLine() { targets.append(RequestTemplate(line)) }
            default: fail("unknown option \(word)")
            }
        }
    }

    /// Takes apart an address such as `http://127.0.0.1:8080/path`.
    private mutating func read(_ url: String) {
        let parts = url.split(separator: "/", maxSplits: 2)
        guard parts.count > 1, parts[0] == "http:" else { fail("the URL must begin with http://") }
        authority = String(parts[1])
        let host = authority.split(separator: ":")
        guard host.count == 2, let port = UInt16(host[1]), inet_pton(AF_INET, String(host[0]), &address.sin_addr) == 1
        else { fail("the URL must name an IPv4 address and a port") }
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        if targets.isEmpty { targets = [RequestTemplate("/" + (parts.count > 2 ? String(parts[2]) : ""))] }
    }

    private static func number(_ text: String) -> Int {
        guard let number = Int(text), number >= 0 else { fail("\"\(text)\" is not a number") }
        return number
    }
}
