import Bytes

/// The parts of a form with files (RFC 7578), whose body was received whole.
///
/// ```
/// body   = [preamble CRLF] 1*("--" boundary CRLF *header CRLF content CRLF) "--" boundary "--" …
/// header = Content-Disposition: form-data; name="files"; filename="shops.csv" CRLF / other CRLF
/// ```
package struct Multipart {
    package struct Part: Sendable {
        package fileprivate(set) var name = ""
        package fileprivate(set) var fileName: String?
        package fileprivate(set) var content = 0..<0
    }

    private static let mostParts = 100
    private static let longestHead = 4096

    package static func parts(of request: Request) throws(HTTPError) -> [Part] {
        try parts(in: request.body, as: request.headers.first("content-type") ?? [])
    }

    static func parts(in body: [UInt8], as type: ArraySlice<UInt8>) throws(HTTPError) -> [Part] {
        guard let boundary = parameter("boundary", of: type), 1...70 ~= boundary.count else { throw invalid }
        // A line break before the first boundary is not sent.
        let line = Array("\r\n--".utf8) + boundary
        let search = ByteSearch(for: line)
        let isFirst = body.starts(with: line.dropFirst(2))
        guard let first = isFirst ? -2 : search.firstMatch(in: body.span) else { throw invalid }
        var place = first + line.count
        var parts: [Part] = []
        let headEnd = ByteSearch(for: Array("\r\n\r\n".utf8))
        while !body[place...].starts(with: "--".utf8) {
            let near = Array(body[place...].prefix(longestHead))
            guard parts.count < mostParts, let length = headEnd.firstMatch(in: near.span),
                let end = search.firstMatch(in: body.span, from: place + length + 2)
            else { throw invalid }
            var part = part(near[..<length])
            // The line break that ends the head may begin the next boundary, too.
            let start = place + length + 4
            part.content = start..<max(start, end)
            parts.append(part)
            place = end + line.count
        }
        return parts
    }

    private static let invalid = HTTPError.invalidParameter("the form was not received whole; send it again")

    private static func part(_ head: ArraySlice<UInt8>) -> Part {
        var part = Part()
        for line in head.split(separator: ASCII.lineFeed) {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard ASCII.equalIgnoringCase(name, "content-disposition".utf8) else { continue }
            part.name = text("name", of: line) ?? ""
            part.fileName = text("filename", of: line)
        }
        return part
    }

    /// Browsers write `"` and line breaks as `%22`, `%0D` and `%0A` (HTML, 4.10.21.8).
    private static func text(_ name: String, of line: ArraySlice<UInt8>) -> String? {
        parameter(name, of: line).map { text in
            String(decoding: PercentCoding.decode(Array("\"\r\n".utf8), in: text[...]), as: UTF8.self)
        }
    }

    /// After a `;`, in quotes or not.
    private static func parameter(_ name: String, of field: ArraySlice<UInt8>) -> [UInt8]? {
        var (start, isQuoted, parts) = (field.startIndex, false, [ArraySlice<UInt8>]())
        for index in field.indices {
            if field[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard field[index] == UInt8(ascii: ";"), !isQuoted else { continue }
            parts.append(field[start..<index])
            start = index + 1
        }
        parts.append(field[start...])
        for part in parts.dropFirst() {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let isWanted = pair.count == 2 && ASCII.equalIgnoringCase(pair[0].filter { $0 > 0x20 }, name.utf8)
            if isWanted { return pair[1].filter { $0 != UInt8(ascii: "\"") && $0 != ASCII.carriageReturn } }
        }
        return nil
    }
}
