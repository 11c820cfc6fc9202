import Bytes
import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct BackupRotationTests {
    private static let store = String(repeating: "a", count: 32)
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file that begins as a backup of a store, written so many seconds after a moment.
    private func write(_ name: String, of store: String = Self.store, after seconds: Int) throws {
        let start = #"{"format":"sooke/1","store":"\#(store)","sequence":7,"at":"2026-11-21T09:30:00Z","#
        try write(name, text: start + "\n\"categories\":[\n],\n", after: seconds)
    }

    private func write(_ name: String, text: String, after seconds: Int) throws {
        try folder.write(text, to: name)
        let time = Date(timeIntervalSince1970: 1_800_000_000 + TimeInterval(seconds))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: "\(folder.path)/\(name)")
    }

    private func remove(allBut count: Int, sparing newest: String) throws -> [String] {
        let name = try #require(BackupName("\(folder.path)/town-%d"))
        let gone = try BackupRotation(name, of: Self.store).remove(allBut: count, sparing: "\(folder.path)/\(newest)")
        return gone.map { String($0.dropFirst(folder.path.count + 1)) }
    }

    private func left() throws -> [String] { try FileDescriptor.names(in: folder.path).sorted() }

    @Test func removesTheOldest() throws {
        for (name, seconds) in [("town-01", 10), ("town-02", 40), ("town-03", 20), ("town-04", 30), ("town-05", 50)] {
            try write(name, after: seconds)
        }
        #expect(try remove(allBut: 3, sparing: "town-05") == ["town-01", "town-03"])
        #expect(try left() == ["town-02", "town-04", "town-05"])
        #expect(try remove(allBut: 3, sparing: "town-05") == [])
    }

    /// The clock may have been wrong when the newest was written.
    @Test func sparesTheNewestWhateverItsTime() throws {
        for (name, seconds) in [("town-01", 10), ("town-02", 20), ("town-03", -1_700_000_000)] {
            try write(name, after: seconds)
        }
        #expect(try remove(allBut: 1, sparing: "town-03") == ["town-01", "town-02"])
        #expect(try left() == ["town-03"])
    }

    @Test func leavesAllElseAlone() throws {
        let start = #"{"format":"sooke/1","store":"\#(Self.store)","sequence":7,"at":"2026-11-21T09:30:00Z","#
        try write("town-01", of: String(repeating: "b", count: 32), after: 1)
        try write("town-02", text: "{\"format\":\"sooke/1\",\n", after: 2)
        try write("town-03", text: "minutes of the council\n", after: 3)
        try write("town-04", text: "", after: 4)
        try write("town-05", text: start, after: 5)
        try write("town-06", text: start.replacing("sooke/1", with: "sooke/4") + "\n", after: 6)
        try write("town-1", after: 7)
        try write("town-01.partial", after: 8)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/town-07", withIntermediateDirectories: false)
        try write("linked", after: 9)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/town-08", withDestinationPath: "\(folder.path)/linked")
        try write("town-31", after: 10)
        let before = try left()
        #expect(try remove(allBut: 1, sparing: "town-31") == [])
        #expect(try left() == before)
    }
}
