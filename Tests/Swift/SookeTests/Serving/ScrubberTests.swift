import Bytes
import Exchange
import Foundation
import HTTP
import Store
import Synchronization
import Testing

@testable import Journal
@testable import sooke

@Suite struct ScrubberTests {
    typealias Finding = InspectionReport.Finding

    static let torn = Finding("wal-1.log", line: 9, byte: 900, "the line does not end")
    /// The finding of `torn` after another write.
    static let later = Finding("wal-1.log", line: 9, byte: 900, "the line does not end; commits 7 to 9 are lost")
    static let flipped = Finding("wal-1.log", line: 2, byte: 90, sequence: 1, "the checksum is not that of the line")

    /// The findings of the readings of one scrub, and the reported result.
    static let rounds: [([[Finding]], String?)] = [
        ([[]], nil), ([[torn], []], nil), ([[torn], [flipped]], nil), ([[flipped], [flipped]], "\(flipped)"),
        ([[torn, flipped], [flipped]], "\(flipped)"), ([[torn], [later]], "\(later)"),
        ([[torn, flipped], [torn, flipped]], "\(torn); and 1 more"),
    ]

    @Test(arguments: rounds)
    func believesWhatItFindsTwice(readings: [[Finding]], damage: String?) throws {
        let script = Script(readings)
        let scrubber = try Scrubber(schedule: .immediate, inspect: { script.next() }) { script.take($0) }
        #expect(scrubber.round() == (damage != nil))
        #expect(script.readings.isEmpty)
        #expect(script.results.count == 1)
        #expect(script.results.first?.damage == damage)
    }

    @Test func readsAtItsTimesUntilItIsStopped() throws {
        let readings = DispatchSemaphore(value: 0)
        let scrubber = try Scrubber(
            schedule: Scrubber.Schedule(start: 0, pause: 0, confirmation: 0), inspect: { [] },
            report: { _ in readings.signal() })
        try scrubber.start()
        for _ in 0..<3 { readings.wait() }
        scrubber.stop()
    }

    @Test(arguments: [(EIO, true), (EMFILE, false)])
    func aDiskThatFailsIsDamage(code: Int32, isDamage: Bool) throws {
        let error = JournalError.system(FileSystemError(.read, path: "town/wal-1.log", code: code), in: "town")
        let result = ScrubResult.unreadable(error)
        #expect((result.damage != nil) == isDamage)
        #expect(result.messages(folder: "town").count == 2)
    }

    @Test func tellsTheOwnerOnce() async throws {
        let folder = try TemporaryFolder()
        let (store, captured) = (try await Self.town(in: folder), try CapturedConsole())
        func take(_ results: [ScrubResult]) throws -> String {
            for result in results {
                Scrubber.take(result, for: store, folder: "town", console: captured.console)
            }
            return try captured.errorsText()
        }
        #expect(try take([.sound]).isEmpty)
        let damaged = """
            sooke: damaged: wal-1.log, line 2, byte 90, sequence 1: the checksum is not that of the line
            sooke: the town is served as before; look with: sooke verify --data town

            """
        #expect(try take([.damaged([Self.flipped]), .damaged([Self.flipped])]) == damaged)
        #expect(store.problems.files?.detail.contains("line 2, byte 90") == true)
        #expect(try take([.sound, .sound]) == damaged + "sooke: the files in town are sound again\n")
        #expect(store.problems.files == nil)
        try await store.close()
    }

    /// The older of two snapshots: a start does not read it.
    @Test func findsTheFlippedByteThatAStartDoesNotSee() async throws {
        let folder = try TemporaryFolder()
        try await Self.town(in: folder).close()
        let captured = try CapturedConsole()
        let path = folder.path + "/town"
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("snapshot-") }
        let older = try #require(names.count == 2 ? names.min() : nil)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(older)")))
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: URL(filePath: "\(path)/\(older)"))

        let store = try sooke.DataFolder.open(path, clock: TimeSource.system.wall, console: captured.console)
        #expect(try captured.errorsText().isEmpty)
        let scrubber = try Scrubber(store, folder: path, console: captured.console)
        scrubber.round()
        #expect(store.problems.files?.detail.hasPrefix(older) == true)
        #expect(try captured.errorsText().contains("sooke: damaged: \(older), line "))
        #expect(try captured.errorsText().contains("sooke verify --data \(path)"))
        try await store.close()
    }

    /// A town with two snapshots.
    private static func town(in folder: TemporaryFolder) async throws -> Store {
        let store = try sooke.DataFolder.open(
            folder.path + "/town", clock: { Timestamp(clampingSeconds: 1_795_253_400) }, console: Console())
        for name in ["Bars", "Cafés"] {
            let line = Array(#"{"category":{"name":"\#(name)"}}"#.utf8)
            let file = ImportFile(name: "terms.ndjson", format: .ndjson, bytes: line)
            let records = Import(files: [file])
            _ = try await store.write(by: .local) { transaction in _ = try records.apply(to: &transaction) }
            try await store.snapshot()
        }
        return store
    }

    /// The findings of the readings in order, and the result.
    private final class Script: Sendable {
        private struct State {
            var readings: [[Finding]]
            var results: [ScrubResult] = []
        }

        private let state: Mutex<State>

        init(_ readings: [[Finding]]) {
            state = Mutex(State(readings: readings))
        }

        var readings: [[Finding]] { state.withLock { $0.readings } }
        var results: [ScrubResult] { state.withLock { $0.results } }

        func next() -> [Finding] {
            return state.withLock { $0.readings.removeFirst() }
        }

        func take(_ result: ScrubResult) {
            state.withLock { $0.results.append(result) }
        }
    }
}

extension Scrubber.Schedule {
    fileprivate static let immediate = Self(start: 0, pause: 0, confirmation: 0)
}
