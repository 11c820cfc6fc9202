import Bytes

/// The age of the history in a folder, how long it is stored, and how large it may be: the file `history.json`.
///
/// The clock of a machine may be wrong: it starts in 1970 on a board without a battery, and a mistake sets it years
/// ahead. So age is measured not by dates but by *elapsed* time: the seconds for which servers have run on the folder,
/// by a monotonic clock, and the pauses between them. A pause counts as the clock measures it if that is plausible, up
/// to `longestPause`; otherwise it counts as zero. A wrong clock drops history that much too early, or stores it for
/// longer.
///
/// ```
/// {"format":"sooke-history/2",
/// "keep":2592000,
/// "keep_bytes":null,
/// "dropped":"days",
/// "elapsed":7862400,
/// "clock":"2026-11-23T09:30:00Z",
/// "snapshots":[
/// {"sequence":1200,"elapsed":5184000}
/// ],
/// "end":{"lines":9,"checksum":"0b6e7f10"}}
/// ```
struct HistoryAge: Equatable, Sendable {
    static let kind: StaticString = "sooke-history"
    static let version = 2

    /// A longer pause between two servers does not count.
    static let longestPause = 7 * 86_400

    /// The retention period in seconds, as last set by a server; nil when none was set.
    var retentionSeconds: Int?
    /// The largest history in bytes, as last set by a server; nil when none was set.
    var limitBytes: Int?
    enum Limit: String, Sendable {
        case days, size
    }

    /// Why the last part of the history was dropped; nil when none was.
    var reason: Limit?
    /// The age that is known, in seconds.
    var elapsed = 0
    /// The time on the clock at that age.
    var clock: Timestamp?
    /// When each snapshot was taken, or first seen, in elapsed seconds.
    var snapshots: [Int: Int] = [:]

    /// Continues after a pause.
    mutating func resume(at now: Timestamp) {
        let pause = clock.map { now.seconds - $0.seconds } ?? 0
        if 0...Self.longestPause ~= pause { elapsed += pause }
        clock = now
    }

    /// Adds the snapshots that exist. The age of an unknown snapshot counts from now.
    mutating func adopt(_ sequences: [Int]) {
        let known = snapshots
        snapshots = [:]
        for sequence in sequences { snapshots[sequence] = known[sequence] ?? elapsed }
    }

    func isOld(_ sequence: Int, retentionSeconds: Int) -> Bool {
        snapshots[sequence].map { elapsed - $0 >= retentionSeconds } ?? false
    }

    var bytes: [UInt8] {
        var writer = CheckedDocumentWriter(kind: Self.kind, version: Self.version)
        writer.append(line: Array("\"keep\":\(retentionSeconds.map { "\($0)" } ?? "null"),".utf8))
        writer.append(line: Array("\"keep_bytes\":\(limitBytes.map { "\($0)" } ?? "null"),".utf8))
        writer.append(line: Array("\"dropped\":\(reason.map { "\"\($0.rawValue)\"" } ?? "null"),".utf8))
        writer.append(line: Array("\"elapsed\":\(elapsed),".utf8))
        writer.append(line: Array("\"clock\":\(clock.map { "\"\($0.rfc3339)\"" } ?? "null"),".utf8))
        writer.append(line: Array("\"snapshots\":[".utf8))
        for (index, snapshot) in snapshots.sorted(by: { $0.key < $1.key }).enumerated() {
            let comma = index == snapshots.count - 1 ? "" : ","
            writer.append(line: Array("{\"sequence\":\(snapshot.key),\"elapsed\":\(snapshot.value)}\(comma)".utf8))
        }
        writer.append(line: Array("],".utf8))
        writer.finish()
        return writer.takeBytes()
    }

    init() {}

    init(_ bytes: [UInt8]) throws(CheckedDocumentError) {
        var lines: [[UInt8]] = []
        var reader = CheckedDocumentReader(kind: Self.kind, version: Self.version)
        try bytes.forEachLine { text, isEnded throws(CheckedDocumentError) in
            if case .line(let line) = try reader.read(text, isEnded: isEnded) { lines.append(Array(line)) }
        }
        try reader.finish()
        guard parse(lines) else { throw CheckedDocumentError(code: .foreign, line: reader.lines) }
    }

    private mutating func parse(_ lines: [[UInt8]]) -> Bool {
        guard lines.count >= 7, lines[5].elementsEqual("\"snapshots\":[".utf8),
            lines[lines.count - 1].elementsEqual("],".utf8)
        else { return false }
        var keep = TextCursor(lines[0][...])
        var bytes = TextCursor(lines[1][...])
        var elapsed = TextCursor(lines[3][...])
        var clock = TextCursor(lines[4][...])
        guard keep.take("\"keep\":"), let seconds = keep.decimalOrNull(), bytes.take("\"keep_bytes\":"),
            let limit = bytes.decimalOrNull(), elapsed.take("\"elapsed\":"), let age = elapsed.decimal(),
            elapsed.take(","), clock.take("\"clock\":")
        else { return false }
        (retentionSeconds, limitBytes, self.elapsed) = (seconds, limit, age)
        switch String(decoding: lines[2], as: UTF8.self) {
        case "\"dropped\":null,": reason = nil
        case "\"dropped\":\"days\",": reason = .days
        case "\"dropped\":\"size\",": reason = .size
        default: return false
        }
        if !clock.take("null,") {
            guard clock.take("\""), let moment = clock.momentAndQuote(), clock.take(",") else { return false }
            self.clock = moment
        }
        for line in lines[6..<(lines.count - 1)] {
            var cursor = TextCursor(line[...])
            guard cursor.take("{\"sequence\":"), let sequence = cursor.decimal(), cursor.take(",\"elapsed\":"),
                let seconds = cursor.decimal(), cursor.take("}")
            else { return false }
            snapshots[sequence] = seconds
        }
        return true
    }
}

extension TextCursor {
    /// A number or `null`, and the comma after it.
    fileprivate mutating func decimalOrNull() -> Int?? {
        if take("null,") { return .some(nil) }
        guard let number = decimal(), take(",") else { return nil }
        return number
    }
}
