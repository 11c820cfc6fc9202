import Bytes

/// How old the history in a folder is, and how much of it is kept: the file `history.json`.
///
/// The clock of a machine may be wrong: it starts in 1970 on a board without a battery, and a mistake sets it years
/// ahead. So what is old is not judged by dates but by *elapsed* time: the seconds for which servers have run on the
/// folder, by a clock that only counts, and the pauses between two of them. A pause counts as the clock measures it
/// when that is plausible, at most `longestPause`; else it counts nothing. An error of the clock drops history that
/// much too early, or keeps it for longer.
///
/// ```
/// {"format":"sooke-history/1",
/// "keep":2592000,
/// "elapsed":7862400,
/// "clock":"2026-11-23T09:30:00Z",
/// "snapshots":[
/// {"sequence":1200,"elapsed":5184000}
/// ],
/// "end":{"lines":7,"checksum":"0b6e7f10"}}
/// ```
struct HistoryAge: Equatable, Sendable {
    static let kind: StaticString = "sooke-history"
    static let version = 1

    /// A pause between two servers that is longer does not count.
    static let longestPause = 7 * 86_400

    /// The history that is kept, in seconds, as a server was last told; nil when none was.
    var retentionSeconds: Int?
    /// The seconds for which the history is known to have grown.
    var elapsed = 0
    /// What the clock said then.
    var clock: Timestamp?
    /// When each snapshot was taken, or first seen, in elapsed seconds.
    var snapshots: [Int: Int] = [:]

    /// Goes on after a pause.
    mutating func resume(at now: Timestamp) {
        let pause = clock.map { now.seconds - $0.seconds } ?? 0
        if 0...Self.longestPause ~= pause { elapsed += pause }
        clock = now
    }

    /// Takes in the snapshots that there are. Whatever the age of an unknown one, it counts from now on.
    mutating func adopt(_ sequences: [Int]) {
        let known = snapshots
        snapshots = [:]
        for sequence in sequences { snapshots[sequence] = known[sequence] ?? elapsed }
    }

    /// Whether a snapshot is older than the history that is kept.
    func isOld(_ sequence: Int, retentionSeconds: Int) -> Bool {
        snapshots[sequence].map { elapsed - $0 >= retentionSeconds } ?? false
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        var writer = CheckedDocumentWriter(kind: Self.kind, version: Self.version)
        writer.append(line: Array("\"keep\":\(retentionSeconds.map { "\($0)" } ?? "null"),".utf8))
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

    /// An age of nothing.
    init() {}

    /// Reads the file.
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
        guard lines.count >= 5, lines[3].elementsEqual("\"snapshots\":[".utf8),
            lines[lines.count - 1].elementsEqual("],".utf8)
        else { return false }
        var keep = TextCursor(lines[0][...])
        var elapsed = TextCursor(lines[1][...])
        var clock = TextCursor(lines[2][...])
        guard keep.take("\"keep\":"), elapsed.take("\"elapsed\":"), let seconds = elapsed.decimal(), elapsed.take(","),
            clock.take("\"clock\":")
        else { return false }
        self.elapsed = seconds
        if !keep.take("null,") {
            guard let seconds = keep.decimal(), keep.take(",") else { return false }
            retentionSeconds = seconds
        }
        if !clock.take("null,") {
            guard clock.take("\""), let moment = clock.momentAndQuote(), clock.take(",") else { return false }
            self.clock = moment
        }
        for line in lines[4..<(lines.count - 1)] {
            var cursor = TextCursor(line[...])
            guard cursor.take("{\"sequence\":"), let sequence = cursor.decimal(), cursor.take(",\"elapsed\":"),
                let seconds = cursor.decimal(), cursor.take("}")
            else { return false }
            snapshots[sequence] = seconds
        }
        return true
    }
}
