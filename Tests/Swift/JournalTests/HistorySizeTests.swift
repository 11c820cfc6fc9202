import Bytes
import Testing

@testable import Journal

/// The history is bounded by its size, for any writes.
@Suite struct HistorySizeTests {
    private static let limit = 128 << 10

    /// A server that runs on a simulated disk, and takes snapshots as the store does.
    private struct Town {
        var disk = SimulatedFileSystem()
        var now = Timestamp.start
        var count = 0
        /// The largest folder at any time, without the two snapshots, the active segment and what is reserved.
        var most = 0
        var journal: Journal
        private let counter = SecondsCounter()
        private var state: [Int] { [count] }

        init(seconds: Int = 30 * 86_400, limit: Int? = HistorySizeTests.limit) throws {
            let options = Self.options(seconds, limit, counter)
            journal = try Journal.open(disk, options: options).journal
            self.options = options
        }

        private let options: JournalOptions

        private static func options(_ seconds: Int?, _ limit: Int?, _ counter: SecondsCounter) -> JournalOptions {
            .small.with {
                $0.segmentBytes = 64 << 10
                $0.pruning = .olderThan(seconds, beyond: limit)
                $0.elapsedSeconds = { counter.value }
            }
        }

        mutating func restart(killing: Bool, seconds: Int? = nil, limit: Int? = nil) throws -> Opened {
            if !killing { try journal.close(now: now) }
            disk = disk.afterKill()
            let opened = try Journal.open(disk, options: Self.options(seconds, limit, counter), now: now)
            journal = opened.journal
            return opened
        }

        /// A commit of so many bytes.
        mutating func write(bytes: Int) throws {
            count += 1
            let text = [UInt8](repeating: UInt8(ascii: "0"), count: bytes)
            journal.append { $0 += Array("\"n\":".utf8) + text + Array("\(count)".utf8) }
            try journal.flush(now: now)
            measure()
            if journal.statistics.bytesSinceSnapshot >= min(1 << 20, journal.snapshotBytesAtMost) { try snapshot() }
        }

        mutating func snapshot(bytes: Int = 3000) throws {
            guard let writer = journal.prepareSnapshot(at: now) else { return }
            let lines = [
                Array("\"numbers\":[".utf8), Array(repeating: UInt8(ascii: "1"), count: bytes), Array("],".utf8),
            ]
            let finished = try writer.write { output throws(JournalError) in
                for line in lines { try output.append(line) }
            }
            measure()
            try journal.install(finished, now: now)
            measure()
        }

        mutating func pass(seconds: Int) {
            counter.add(seconds)
            now = now.advanced(bySeconds: seconds)
        }

        private mutating func measure() {
            let snapshots = journal.manifest.snapshots.suffix(2).reduce(0) { $0 + $1.length }
            let folder = disk.withDisk { disk in
                disk.names.filter { $0.key.hasPrefix("data/") }.values.reduce(0) { $0 + disk[$1].current.count }
            }
            // The active segment, its reserve, the spare file, and the small files.
            let segment = journal.segment.length + 700 + (16 << 10) + (8 << 10)
            most = max(most, folder - snapshots - segment)
        }
    }

    /// Ten days at the limit of writes, some of them large, with stops and kills.
    @Test func tenDaysDoNotMakeTheFolderLargerThanTheBound() throws {
        var town = try Town()
        for day in 0..<10 {
            for minute in 0..<240 {
                try town.write(bytes: minute.isMultiple(of: 40) ? 20_000 : 1_500)
                town.pass(seconds: 360)
            }
            if day.isMultiple(of: 3) { _ = try town.restart(killing: day.isMultiple(of: 2)) }
            #expect(try FolderSurvey(of: "data", fileSystem: town.disk).report.findings == [])
        }
        #expect(town.journal.statistics.history.reason == .size)
        #expect(town.most <= Self.limit, "\(town.most)")
        // What is dropped at once is a part of it.
        #expect(town.journal.statistics.history.bytes > Self.limit / 2)
        let survey = try FolderSurvey(of: "data", fileSystem: town.disk)
        let oldest = try #require(survey.oldestState)
        #expect(oldest.at == town.journal.statistics.history.since)
        #expect((oldest.sequence...town.count).allSatisfy(survey.canBuild))
        #expect(oldest.sequence > town.count - 240)
    }

    /// The two numbers are stored, and status says why the history begins where it does.
    @Test func theReasonIsTheOneThatCounted() throws {
        var town = try Town(limit: 64 << 20)
        #expect(town.journal.statistics.history.reason == .beginning)
        for _ in 0..<200 { try town.write(bytes: 2_000) }
        try town.snapshot()
        #expect(town.journal.statistics.history.reason == .beginning)
        _ = try town.restart(killing: false)
        #expect(town.journal.statistics.history.limitBytes == 64 << 20, "it is stored")
        town.pass(seconds: 31 * 86_400)
        for _ in 0..<3 {
            try town.write(bytes: 10)
            try town.snapshot()
        }
        #expect(town.journal.statistics.history.reason == .days)
        let first = town.journal.statistics.history.first
        _ = try town.restart(killing: true, limit: 32 << 10)
        #expect(town.journal.statistics.history.reason == .days)
        for _ in 0..<200 { try town.write(bytes: 2_000) }
        #expect(town.journal.statistics.history.reason == .size)
        #expect(town.journal.statistics.history.first > first)
        let opened = try town.restart(killing: true)
        #expect(opened.journal.statistics.history.reason == .size, "it is stored")
        let survey = try FolderSurvey(of: "data", fileSystem: town.disk)
        let copy = try FolderCopy(
            of: town.count, from: survey, to: "copy", keepingRest: false, fileSystem: town.disk, options: .small,
            now: town.now)
        let age = try #require(try HistoryAge.read(StoreFolder("copy", fileSystem: town.disk)).document)
        #expect(age.limitBytes == 32 << 10 && age.retentionSeconds == 30 * 86_400 && age.reason == nil)
        withExtendedLifetime(copy) {}
    }

    @Test func whatTheNextStartReadsIsNotDropped() throws {
        var town = try Town()
        town.journal.neededAfter = 10
        for _ in 0..<300 { try town.write(bytes: 2_000) }
        #expect(town.journal.statistics.history.first <= 11)
        town.journal.neededAfter = .max
        for _ in 0..<100 { try town.write(bytes: 2_000) }
        #expect(town.journal.statistics.history.first > 11)
        #expect(town.journal.statistics.history.bytes <= Self.limit)
    }

    /// A tenth of the disk, at least 256 MiB.
    @Test(arguments: [(1 << 20, 256 << 20), (10 << 30, 1 << 30), (100 << 30, 10 << 30)])
    func withoutANumberItIsATenthOfTheDisk(disk: Int, limit: Int) throws {
        let system = SimulatedFileSystem()
        system.withDisk { $0.capacity = disk }
        let journal = try Journal.open(system, options: .small.with { $0.pruning = .olderThan(nil) }).journal
        #expect(journal.statistics.history.limitBytes == limit)
        #expect(journal.snapshotBytesAtMost == limit / 4)
    }
}
