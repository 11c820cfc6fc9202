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
    var seed: UInt64 = 1
    var authority = ""
    var address = sockaddr_in()

    init(_ words: ArraySlice<String>) {
        var (words, url) = (words, "")
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                url = word
                continue
            }
            guard let value = words.popFirst() else { fail("\(word) takes a value") }
            switch word {
            case "--connections": connections = Self.number(value)
            case "--seconds": seconds = Self.number(value)
            case "--rate": rate = Self.number(value)
            case "--timeout": timeout = Self.number(value)
            case "--seed": seed = UInt64(Self.number(value))
            case "--method": method = value
            case "--body": body = RequestTemplate(value)
            case "--targets": targets = Self.lines(of: value).map(RequestTemplate.init)
            default: fail("unknown option \(word)")
            }
        }
        read(url)
    }

    /// Takes apart an address such as `http://127.0.0.1:8080/path`.
    private mutating func read(_ url: String) {
        guard url.hasPrefix("http://") else { fail("the URL must begin with http://") }
        let rest = url.dropFirst("http://".count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = String(rest[..<end])
        let parts = authority.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else {
            fail("the URL must name an IPv4 address and a port")
        }
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, parts[0] == "localhost" ? "127.0.0.1" : String(parts[0]), &address.sin_addr) == 1
        else {
            fail("\(parts[0]) is not an IPv4 address")
        }
        if targets.isEmpty { targets = [RequestTemplate(rest[end...].hasPrefix("/") ? String(rest[end...]) : "/")] }
    }

    private static func number(_ text: String) -> Int {
        guard let number = Int(text), number >= 0 else { fail("\"\(text)\" is not a number") }
        return number
    }

    private static func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { fail("cannot read \(path)") }
        defer { fclose(file) }
        var lines: [String] = []
        while let line = readLine(from: file) { lines.append(line) }
        return lines.filter { !$0.isEmpty }
    }

    private static func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
        var bytes: [UInt8] = []
        while true {
            let byte = getc(file)
            if byte == EOF { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(UInt8(byte))
        }
    }
}
