import Bytes
@testable import Journal

/// The state that the tests store in a journal: the commits themselves, each a number.
struct Ledger: Replayer {
    private(set) var numbers: [Int] = []
    private var log: [Call] = []
    /// The number at which the replayer throws.
    var refuses: Int?

    private enum Call {
        case begin(Int?)
        case end
        case commit(Int)
    }

    /// Every call in order, for the tests of that order.
    var calls: [String] {
        log.map { call in
            switch call {
            case .begin(let sequence): sequence.map { "begin \($0)" } ?? "begin"
            case .end: "end"
            case .commit(let sequence): "commit \(sequence)"
            }
        }
    }

    struct Misunderstanding: Error, CustomStringConvertible {
        var description: String { "no such number" }
    }

    static func payload(_ number: Int) -> [UInt8] {
        Array("\"n\":\(number)".utf8)
    }

    /// The lines of a snapshot of this state.
    static func lines(_ numbers: [Int]) -> [[UInt8]] {
        [Array("\"numbers\":[".utf8)] + numbers.map { Array("\($0)".utf8) } + [Array("],".utf8)]
    }

    mutating func begin(_ origin: CheckedDocument.Origin?) {
        numbers = []
        log.append(.begin(origin?.sequence))
    }

    mutating func snapshotLine(_ line: ArraySlice<UInt8>) throws {
        let text = String(decoding: line, as: UTF8.self)
        guard let number = Int(text) else { return }
        if number == refuses { throw Misunderstanding() }
        numbers.append(number)
    }

    mutating func endSnapshot() {
        log.append(.end)
    }

    mutating func commit(_ commit: LoggedCommit) throws {
        let text = String(decoding: commit.payload, as: UTF8.self)
        guard text.hasPrefix("\"n\":"), let number = Int(text.dropFirst(4)), number != refuses else {
            throw Misunderstanding()
        }
        numbers.append(number)
        log.append(.commit(commit.sequence))
    }

    func appendLines(to snapshot: inout SnapshotLines, version: Int) throws(JournalError) {
        for line in Self.lines(numbers) { try snapshot.append(line) }
    }
}

extension Journal {
    /// Opens the folder `data` with a fresh ledger.
    static func open(
        _ fileSystem: any FileSystem, options: JournalOptions = .small, now: Timestamp = .start
    ) throws(JournalError) -> Opened {
        var ledger = Ledger()
        let (journal, report) = try open("data", fileSystem: fileSystem, options: options, now: now, replaying: &ledger)
        return Opened(journal: journal, report: report, ledger: ledger)
    }

    /// Appends numbers and flushes them in one batch.
    func commit(_ numbers: Int..., now: Timestamp = .start) throws(JournalError) {
        for number in numbers { append(Ledger.payload(number)) }
        try flush(now: now)
    }

    /// Writes a snapshot of these numbers and installs it.
    func snapshot(_ numbers: [Int], now: Timestamp = .start) throws(JournalError) {
        guard let writer = prepareSnapshot(at: .start) else { return }
        let finished = try writer.write { lines throws(JournalError) in
            for line in Ledger.lines(numbers) { try lines.append(line) }
        }
        try install(finished, now: now)
    }
}

extension Journal {
    /// Adds a commit with an existing payload to the batch.
    @discardableResult
    func append(_ payload: [UInt8]) -> Int { append { $0 += payload }.sequence }
}

/// A journal that was opened by a test.
struct Opened {
    let journal: Journal
    let report: RecoveryReport
    let ledger: Ledger

    var numbers: [Int] { ledger.numbers }
}

extension Timestamp {
    /// The time in tests: 2026-11-21T09:30:00Z.
    static let start = Timestamp(clampingSeconds: 1_795_253_400)
}

extension JournalOptions {
    /// Small segments, of which little is reserved, and a store whose identity is always the same.
    static var small: JournalOptions {
        var options = JournalOptions()
        options.segmentBytes = 4096
        options.reservedBytes = 700
        options.identity = "00112233445566778899aabbccddeeff"
        return options
    }

    /// With little padding.
    static var dense: JournalOptions { small.with { $0.sectorBytes = 16 } }

    func with(_ change: (inout JournalOptions) -> Void) -> JournalOptions {
        var options = self
        change(&options)
        return options
    }
}

extension SimulatedFileSystem {
    /// A store with the segments 1–3, 4–6 and 7–9, and snapshots at 3 and 6; after a kill.
    static func withThreeSegments(closing: Bool = true) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        for step in 0..<3 {
            let journal = try Journal.open(disk, options: .dense).journal
            try journal.commit(step * 3 + 1, step * 3 + 2)
            try journal.commit(step * 3 + 3)
            if step < 2 { try journal.snapshot(Array(1...step * 3 + 3)) }
            if closing || step < 2 { try journal.close(now: .start) }
        }
        return disk.afterKill()
    }
}
