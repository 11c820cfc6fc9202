import Bytes
import Foundation
import Journal
import TestSupport
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(20))) struct CommitLinesTests {
    private let folder = TemporaryFolder()

    private func open(recent: RecentCommits.Limits = .init()) throws -> Store {
        var options = folder.options
        options.recentCommits = recent
        options.journal.segmentBytes = 4096
        return try Store.open(folder.path, options: options).store
    }

    private func write(_ names: [String], to store: Store) async throws {
        for name in names {
            _ = try await store.write(by: .person(3)) { transaction in try transaction.upsert(StoreTests.business(name))
            }
        }
    }

    private func lines(after position: CommitPosition, of store: Store) throws -> [UInt8]? {
        let version = store.current
        guard var lines = try CommitLines(after: position, of: store, in: version) else { return nil }
        var bytes = lines.head
        while let piece = try lines.next(in: version) { bytes += piece }
        #expect(lines.position == version.position)
        return bytes
    }

    private func payloads(_ bytes: [UInt8]) throws -> (payloads: [ArraySlice<UInt8>], verified: CommitPosition?) {
        var reader = CommitLineReader()
        var (payloads, verified) = ([ArraySlice<UInt8>](), CommitPosition?.none)
        // In pieces, so that lines are cut anywhere.
        for start in stride(from: 0, to: bytes.count, by: 97) {
            reader.append(Array(bytes[start..<min(start + 97, bytes.count)]))
            while let line = try reader.next() {
                switch line {
                case .start(_, let after): verified = after
                case .commit(let commit): payloads.append(commit.payload)
                case .position(let position, _): verified = position
                }
            }
        }
        return (payloads, verified)
    }

    /// Commits from before the process, from memory and from the log, are the same bytes.
    @Test(arguments: [
        RecentCommits.Limits(), .init(bytes: 2000, commits: 2, mostBytes: 3000),
        .init(bytes: 0, commits: 0, mostBytes: 0),
    ])
    func aSecondStoreThatAppendsTheLinesIsTheSame(recent: RecentCommits.Limits) async throws {
        var store = try open(recent: recent)
        try await write(["A", "B"], to: store)
        let start = store.current.position
        var backup: [UInt8] = []
        store.writeBackup(of: store.current) { backup += $0 }
        try await write((0..<40).map { "C\($0)" }, to: store)
        try await store.close()
        store = try open(recent: recent)
        try await write((0..<9).map { "D\($0)" } + ["A"], to: store)
        _ = try await store.write(by: .local) { transaction in try transaction.deleteBusiness(2) }

        let (payloads, verified) = try payloads(try #require(try lines(after: start, of: store)))
        #expect(verified == store.current.position && payloads.count == 50)

        let file = "\(folder.path)-backup.json"
        try Data(backup).write(to: URL(fileURLWithPath: file))
        let copy = try FolderCopy(ofSnapshot: file, to: "\(folder.path)-copy", now: Timestamp.epoch)
        var replay = Replay(recentCommits: .init())
        let (journal, _) = try Journal.open(copy.lockedFolder, now: Timestamp.epoch, replaying: &replay)
        for payload in payloads { journal.append { line in line += payload } }
        try journal.flush(now: Timestamp.epoch)
        #expect(journal.durablePosition == store.current.position)
        try journal.close(now: Timestamp.epoch)
        try copy.complete()
        let second = try Store.open(copy.lockedFolder, options: folder.options)
        var (ours, theirs) = ([UInt8](), [UInt8]())
        store.writeBackup(of: store.current) { ours += $0 }
        second.writeBackup(of: second.current) { theirs += $0 }
        #expect(ours == theirs)
        try await second.close()
        try await store.close()
    }

    @Test func chainDetectsMissingSwappedAndChangedLines() async throws {
        let store = try open()
        let start = store.current.position
        try await write(["A", "B", "C"], to: store)
        let sound = try #require(try lines(after: start, of: store)).split(separator: ASCII.lineFeed).map(Array.init)
        #expect(sound.count == 5)
        func isAccepted(_ lines: [[UInt8]]) -> Bool {
            let read = try? payloads(lines.flatMap { $0 + [ASCII.lineFeed] })
            return read?.verified == store.current.position
        }
        #expect(isAccepted(sound))
        for index in 1...3 {
            var lines = sound
            lines.remove(at: index)
            #expect(!isAccepted(lines), "without line \(index)")
            lines = sound
            lines.insert(sound[index], at: index)
            #expect(!isAccepted(lines), "line \(index) twice")
            lines = sound
            lines.swapAt(index, index % 3 + 1)
            #expect(!isAccepted(lines), "line \(index) swapped")
            for place in sound[index].indices {
                lines = sound
                lines[index][place] ^= 1
                #expect(!isAccepted(lines), "line \(index), byte \(place)")
            }
        }
        try await store.close()
    }
}
