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

    /// As last set by a server.
    var retentionSeconds: Int?
    var limitBytes: Int?
    var reason: HistoryExtent.Reason?
    /// The age that is known, in seconds.
    var elapsed = 0
    /// The time on the clock at that age.
    var clock: Timestamp?
    /// When each was taken, or first seen, in elapsed seconds.
    var snapshots: [Int: Int] = [:]

    /// After a pause.
    mutating func resume(at now: Timestamp) {
        let pause = clock.map { now.seconds - $0.seconds } ?? 0
        if 0...Self.longestPause ~= pause { elapsed += pause }
        clock = now
    }

    /// The age of an unknown snapshot counts from now.
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
        writer.append(text: "\"keep\":\(retentionSeconds.map { "\($0)" } ?? "null"),")
        writer.append(text: "\"keep_bytes\":\(limitBytes.map { "\($0)" } ?? "null"),")
        writer.append(text: "\"dropped\":\(reason.map { "\"\($0.rawValue)\"" } ?? "null"),")
        writer.append(text: "\"elapsed\":\(elapsed),")
        writer.append(text: "\"clock\":\(clock.map { "\"\($0.rfc3339)\"" } ?? "null"),")
        let ages = snapshots.sorted { $0.key < $1.key }
        writer.append(list: "snapshots", ages.map { "{\"sequence\":\($0.key),\"elapsed\":\($0.value)}" })
        writer.finish()
        return writer.takeBytes()
    }

    init() {}

    static func read(_ folder: StoreFolder) throws(JournalError) -> (document: HistoryAge?, fault: String?) {
        try folder.document(FileName.history) { bytes throws(CheckedDocumentError) in try HistoryAge(bytes) }
    }

    init(_ bytes: [UInt8]) throws(CheckedDocumentError) {
        let lines = try DocumentLines(bytes, kind: Self.kind, versions: Self.version...Self.version)
        retentionSeconds = lines.member("keep") { $0.decimal() }
        limitBytes = lines.member("keep_bytes") { $0.decimal() }
        reason = lines.member("dropped") { $0.take("days") ? .days : $0.take("size") ? .size : nil }
        elapsed = lines.member("elapsed") { $0.decimal() } ?? 0
        clock = lines.member("clock") { $0.momentAndQuote() }
        for line in lines.list("snapshots") {
            guard let sequence = line.member("sequence", { $0.decimal() }) else { continue }
            snapshots[sequence] = line.member("elapsed") { $0.decimal() }
        }
        try lines.require(self.bytes)
    }
}
