import Bytes
import Service
import HTTP
import Platform

final class AccessLog: Sendable {
    private let lines: LineWriter
    private let line: AccessLine
    private let clock: TimeSource

    /// - Parameter format: not `off`.
    init(_ format: LogFormat, to output: FileDescriptor, clock: TimeSource = .system) throws(SystemError) {
        let line = AccessLine(format: format)
        (self.line, self.clock) = (line, clock)
        lines = try LineWriter { batch throws(SystemError) in
            try output.write(batch)
        } dropped: { count, bytes in
            line.append(dropped: count, at: clock.wall(), to: &bytes)
        }
    }

    /// Never blocks.
    func record(_ record: AccessRecord) {
        let moment = clock.wall()
        lines.append { line.append(record, at: moment, to: &$0) }
    }

    func close() {
        lines.close()
    }
}

enum LogFormat: String, Sendable, CaseIterable {
    case text, json, off
}

/// Formats a request and its response as one line.
///
/// ```
/// time=2026-11-21T09:30:00.123Z method=GET target="/api/v1/businesses?page=2" status=200 bytes=6912 ms=0.113
/// peer=127.0.0.1 id=71d2c8f0a94be035
/// {"time":"2026-11-21T09:30:00.123Z","method":"GET","target":"/api/v1/businesses?page=2","status":200,
/// "bytes":6912,"ms":0.113,"peer":"127.0.0.1","request_id":"71d2c8f0a94be035","user_agent":"curl/8.14.1"}
/// ```
///
/// No other header is written, so no `Authorization` and no cookie. In the target every byte that is not allowed in a
/// URL is percent-escaped, including quotes and backslashes, and in the user agent every such byte but spaces. So the
/// result is one line in both formats, for anything that a client sends. The values of parameters with secrets are
/// omitted, and so is the secret part of a token anywhere.
struct AccessLine {
    /// Not `off`.
    let format: LogFormat

    func append(_ record: AccessRecord, at moment: Timestamp, to bytes: inout [UInt8]) {
        let isJSON = format == .json
        appendTime(moment, isJSON, to: &bytes)
        bytes.append(isJSON ? ",\"method\":\"" : " method=")
        bytes.append(record.method?.name ?? "-")
        bytes.append(isJSON ? "\",\"target\":\"" : " target=\"")
        Self.append(target: Token.masking(record.target), to: &bytes)
        bytes.append(isJSON ? "\",\"status\":" : "\" status=")
        bytes.append(decimal: record.status.code, width: 3)
        bytes.append(isJSON ? ",\"bytes\":" : " bytes=")
        bytes.append(decimal: record.bytes)
        bytes.append(isJSON ? ",\"ms\":" : " ms=")
        let microseconds = max(0, record.duration) / 1000
        bytes.append(decimal: microseconds / 1000)
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: microseconds % 1000, width: 3)
        bytes.append(isJSON ? ",\"peer\":\"" : " peer=")
        switch record.peer {
        case .inet(let address, _, _): bytes.append(utf8: address)
        case .local(let user, _):
            bytes.append("uid:")
            bytes.append(decimal: Int(user))
        }
        bytes.append(isJSON ? "\",\"request_id\":\"" : " id=")
        if record.id.isReceived {
            bytes += Token.masking(Array(record.id.text.utf8)[...])
        } else {
            record.id.append(to: &bytes)
        }
        if isJSON {
            bytes.append("\"")
            if let agent = record.userAgent {
                bytes.append(",\"user_agent\":\"")
                let masked = Token.masking(agent)
                Self.append(escaping: masked.prefix(Self.longestAgent), keepingSpaces: true, to: &bytes)
                bytes.append("\"")
            }
            bytes.append("}")
        }
        bytes.append("\n")
    }

    /// In bytes.
    private static let longestAgent = 200

    func append(dropped: Int, at moment: Timestamp, to bytes: inout [UInt8]) {
        let isJSON = format == .json
        appendTime(moment, isJSON, to: &bytes)
        bytes.append(isJSON ? ",\"dropped\":" : " dropped=")
        bytes.append(decimal: dropped)
        bytes.append(isJSON ? "}\n" : "\n")
    }

    private func appendTime(_ moment: Timestamp, _ isJSON: Bool, to bytes: inout [UInt8]) {
        let seconds = moment.seconds
        bytes.append(isJSON ? "{\"time\":\"" : "time=")
        bytes.append(rfc3339: Timestamp(clampingSeconds: seconds))
        bytes[bytes.count - 1] = UInt8(ascii: ".")
        bytes.append(decimal: (moment.microseconds - seconds * 1_000_000) / 1000, width: 3)
        bytes.append(isJSON ? "Z\"" : "Z")
    }

    /// Words in the names of parameters whose values are secrets, in lower case.
    private static let secretWords = ["token", "key", "password", "secret", "code"].map { Array($0.utf8) }

    /// Appends a target without the values of secret parameters: a name ends at `=`, a secret value at the next `&`.
    private static func append(target: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        let parts = target.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            if number > 0 { bytes.append("&") }
            var name = part.startIndex
            let secret = part.indices.first { index in
                defer { if "=?/".utf8.contains(part[index]) { name = index + 1 } }
                return part[index] == UInt8(ascii: "=") && isSecret(part[name..<index])
            }
            append(escaping: secret.map { part[...$0] } ?? part, to: &bytes)
            if secret != nil { bytes.append("***") }
        }
    }

    /// Whether the name of a parameter has a secret word in it. An escaped name can be any name.
    private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        name.contains(UInt8(ascii: "%"))
            || name.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }.contains { word in
                secretWords.contains { ASCII.equalIgnoringCase($0, word) }
            }
    }

    private static func append(escaping text: ArraySlice<UInt8>, keepingSpaces: Bool = false, to bytes: inout [UInt8]) {
        for byte in text {
            if isPlain(byte) || keepingSpaces && byte == UInt8(ascii: " ") {
                bytes.append(byte)
            } else {
                bytes.append(utf8: PercentCoding.encode(CollectionOfOne(byte)))
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x21 < 0x5E && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
