import Bytes
import TestSupport
import Testing

@testable import Journal

/// Truncations and changed bytes of a log and of a snapshot: with `SOOKE_DAMAGE_COMMITS` every one, else a sample.
///
/// `Tests/Binary/Faults/proof` makes the long run, of a thousand commits.
@Suite struct DamageTests {
    private static let wanted = CrashTests.environment("SOOKE_DAMAGE_COMMITS")
    static let commits = wanted ?? 40
    /// Every so many bytes, unless a number of commits is wanted.
    private static let step = wanted == nil ? 11 : 1
    static let masks: [UInt8] = [0x01, 0x80]
    static let log = "data/wal-00000000000000000001.log"
    private static let options = JournalOptions.small.with {
        $0.segmentBytes = 64 << 20
        $0.sectorBytes = 64
        // So that the file ends after the last line of the log.
        $0.reservedBytes = 0
    }

    /// A log of batches of one to seven commits, after a kill or after a clean stop.
    private static func makeLog(closing: Bool) throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk, options: options).journal
        var next = 1
        while next <= commits {
            for number in next...min(next + next % 7, commits) { journal.append(Ledger.payload(number)) }
            next += next % 7 + 1
            try journal.flush(now: .start)
        }
        if closing { try journal.close(now: .start) }
        return disk.afterKill()
    }

    /// The result of a start on a damaged file.
    private enum Outcome {
        case refused(JournalError)
        case opened(numbers: [Int], warnings: [RecoveryReport.Warning])
    }

    private func open(
        _ disk: SimulatedDisk, _ path: String, _ change: (inout SimulatedFile) -> Void
    ) throws -> Outcome {
        var copy = disk
        let file = try #require(copy.names[path])
        change(&copy[file])
        do throws(JournalError) {
            let opened = try Journal.open(SimulatedFileSystem(copy), options: Self.options)
            return .opened(numbers: opened.numbers, warnings: opened.report.warnings)
        } catch {
            return .refused(error)
        }
    }

    @Test(arguments: masks)
    func everyChangedByteOfAnOpenLogIsNoticedAndCostsNothing(mask: UInt8) throws {
        let disk = try Self.makeLog(closing: false).image
        let log = try #require(disk.names[Self.log].map { disk[$0].current })
        let lastMark = try #require(log.dropLast().lastIndex(of: ASCII.lineFeed)) + 1
        let places = Cases.sample(log.indices, every: Self.step)
        for offset in places {
            switch try open(disk, Self.log, { $0.overwrite(log[offset] ^ mask, at: offset) }) {
            case .refused(let error):
                let isRight =
                    offset < lastMark && error.kind == .damaged && error.file == FileName.segment(1)
                    && error.byte.map { $0 <= offset } ?? false && error.line != nil && error.sequence != nil
                #expect(isRight, "byte \(offset): \(error)")
            case .opened(let numbers, let warnings):
                // Only the final mark is not needed.
                let isRight =
                    offset >= lastMark && numbers == Array(1...Self.commits) && warnings.map(\.kind) == [.cut]
                    && warnings[0].byte == lastMark
                #expect(isRight, "byte \(offset): \(numbers.count) commits, \(warnings)")
            }
        }
    }

    @Test(arguments: masks)
    func everyChangedByteOfAClosedLogIsRefused(mask: UInt8) throws {
        let disk = try Self.makeLog(closing: true).image
        let log = try #require(disk.names[Self.log].map { disk[$0].current })
        let places = Cases.sample(log.indices, every: Self.step)
        for offset in places {
            guard case .refused(let error) = try open(disk, Self.log, { $0.overwrite(log[offset] ^ mask, at: offset) }),
                error.kind == .damaged
            else {
                Issue.record("byte \(offset) was not noticed")
                continue
            }
        }
    }

    /// The process was killed: the file `durable` says how long the log was.
    @Test func everyCutOfAnOpenLogIsRefusedAfterAKill() throws {
        let disk = try Self.makeLog(closing: false).image
        let log = try #require(disk.names[Self.log].map { disk[$0].current })
        let lastMark = try #require(log.dropLast().lastIndex(of: ASCII.lineFeed)) + 1
        let places = Cases.sample(0..<lastMark, every: Self.step)
        for length in places {
            for zeros in [0, log.count - length] {
                let outcome = try open(disk, Self.log) { file in
                    file.truncate(to: length)
                    file.append([UInt8](repeating: 0, count: zeros))
                }
                guard case .refused(let error) = outcome, error.kind == .damaged, error.file == FileName.segment(1),
                    error.byte.map({ $0 <= length }) ?? false
                else {
                    Issue.record("cut to \(length) bytes: \(outcome)")
                    continue
                }
            }
        }
    }

    /// The power was lost, and with it what was not synced.
    @Test func everyCutOfAnOpenLogLeavesTheCommitsBeforeIt() throws {
        var disk = try Self.makeLog(closing: false).image
        disk.set("data/\(FileName.durable)", to: nil)
        let log = try #require(disk.names[Self.log].map { disk[$0].current })
        let header = try #require(log.firstIndex(of: ASCII.lineFeed)) + 1
        let places = Cases.sample(log.indices, every: Self.step)
        for length in places {
            let outcome = try open(disk, Self.log) { $0.truncate(to: length) }
            guard length >= header else {
                if case .opened = outcome { Issue.record("cut to \(length) bytes: opened without its first line") }
                continue
            }
            guard case .opened(let numbers, let warnings) = outcome else {
                Issue.record("cut to \(length) bytes: \(outcome)")
                continue
            }
            let kept = log[..<length].split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).dropLast()
            let expected = kept.filter { $0.dropFirst(9).starts(withLiteral: "{\"seq\":") }.count
            #expect(numbers == Array((0...expected).dropFirst()), "cut to \(length) bytes")
            #expect(warnings.map(\.kind) == (log[length - 1] == ASCII.lineFeed ? [] : [.cut]), "cut to \(length) bytes")
        }
    }

    @Test func everyCutOfAClosedLogIsRefused() throws {
        let disk = try Self.makeLog(closing: true).image
        let length = try #require(disk.names[Self.log].map { disk[$0].current.count })
        let places = Cases.sample(0..<length, every: Self.step)
        for length in places {
            if case .opened = try open(disk, Self.log, { $0.truncate(to: length) }) {
                Issue.record("cut to \(length) bytes: opened")
            }
        }
    }

    private static let halfALine = Array("01234567 {\"seq\":41,".utf8)
    private static let halfALineAndZeros = halfALine + [UInt8](repeating: 0, count: 5_000)

    @Test(arguments: [
        ("zeros and more", [UInt8](repeating: 0, count: 700) + [1]), ("ones", [UInt8](repeating: 0xFF, count: 700)),
        ("line feeds", [UInt8](repeating: ASCII.lineFeed, count: 10)), ("text", Array("hello\nworld\n".utf8)),
        ("half a line", halfALine),
        // A batch that was torn in the middle of its reserved space.
        ("half a line and zeros", halfALineAndZeros),
    ])
    func garbageBehindAnOpenLogIsCutAndKept(name: String, garbage: [UInt8]) throws {
        let disk = try Self.makeLog(closing: false)
        let length = disk.bytes(of: Self.log).count
        disk.withDisk { disk in
            if let file = disk.names[Self.log] { disk[file].append(garbage) }
        }
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.numbers == Array(1...Self.commits))
        #expect(opened.report.warnings.map(\.byte) == [length])
        let kept = try #require(disk.paths.first { $0.hasPrefix("data/quarantine/") })
        let reserve = garbage.reversed().prefix { $0 == 0 }.count
        #expect(disk.bytes(of: kept) == Array(garbage.dropLast(reserve)))
    }

    /// They are reserved space; an open log ends before them, and a closed one has none.
    @Test(arguments: [1, 512, 70_000])
    func zerosBehindALogAreNothing(count: Int) throws {
        func makeLog(closing: Bool) throws -> SimulatedFileSystem {
            let disk = try Self.makeLog(closing: closing)
            disk.withDisk { disk in
                if let file = disk.names[Self.log] { disk[file].append([UInt8](repeating: 0, count: count)) }
            }
            return disk
        }
        let disk = try makeLog(closing: false)
        let inspected = try FolderSurvey(of: "data", fileSystem: disk).report
        #expect(inspected.findings.isEmpty)
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.numbers == Array(1...Self.commits) && opened.report.warnings.isEmpty)
        let length = try Self.makeLog(closing: true).bytes(of: Self.log).count
        let refused = #expect(throws: JournalError.self) {
            try Journal.open(try makeLog(closing: true), options: Self.options)
        }
        let report = try FolderSurvey(of: "data", fileSystem: makeLog(closing: true)).report
        let finding = try #require(report.findings.first)
        for message in [refused?.message, finding.message] {
            #expect(message?.contains("byte \(length), behind that with zeros up to byte \(length + count);") == true)
        }
        #expect(refused?.byte == length && finding.byte == length)
    }

    @Test func linesOfTheSameLogBehindItsEndAreCut() throws {
        let disk = try Self.makeLog(closing: false)
        let log = disk.bytes(of: Self.log)
        disk.withDisk { disk in
            if let file = disk.names[Self.log] { disk[file].append(log) }
        }
        let opened = try Journal.open(disk, options: Self.options)
        #expect(opened.numbers == Array(1...Self.commits))
        #expect(opened.report.warnings.map(\.kind) == [.cut])
    }

    // MARK: - Snapshots and manifest

    /// Two snapshots, and commits after each.
    private static func makeSnapshots() throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk, options: options).journal
        for third in 0..<3 {
            for number in third * commits / 3..<(third + 1) * commits / 3 { journal.append(Ledger.payload(number + 1)) }
            try journal.flush(now: .start)
            if third < 2 { try journal.snapshot(Array(1...(third + 1) * commits / 3)) }
        }
        return disk.afterKill()
    }

    @Test(arguments: masks)
    func olderSnapshotReplacesADamagedNewestOne(mask: UInt8) throws {
        let disk = try Self.makeSnapshots().image
        let name = FileName.snapshot(2 * Self.commits / 3)
        let snapshot = try #require(disk.names["data/" + name].map { disk[$0].current })
        let places = Cases.sample(snapshot.indices, every: Self.step)
        for offset in places {
            let outcome = try open(disk, "data/" + name) { $0.overwrite(snapshot[offset] ^ mask, at: offset) }
            guard case .opened(let numbers, let warnings) = outcome else {
                Issue.record("byte \(offset): \(outcome)")
                continue
            }
            let isRight = numbers == Array(1...Self.commits) && warnings.map(\.kind) == [.skippedSnapshot]
            #expect(isRight, "byte \(offset): \(numbers.count) commits, \(warnings)")
        }
    }

    @Test(arguments: masks)
    func everyChangedByteOfTheManifestIsRefused(mask: UInt8) throws {
        let disk = try Self.makeSnapshots().image
        let manifest = try #require(disk.names["data/manifest.json"].map { disk[$0].current })
        let places = Cases.sample(manifest.indices, every: Self.step)
        for offset in places {
            let outcome = try open(disk, "data/manifest.json") { $0.overwrite(manifest[offset] ^ mask, at: offset) }
            guard case .refused(let error) = outcome, error.kind == .damaged else {
                Issue.record("byte \(offset): \(outcome)")
                continue
            }
        }
    }
}
