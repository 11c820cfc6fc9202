import Bytes
import Foundation
import Journal
import Platform
import Testing

@testable import sooke

@Suite struct BackupRotationTests {
    private static let store = String(repeating: "a", count: 32)
    private static let now = 1_800_000_000
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A backup of a store after a change, with the time of its last write in seconds before now.
    private func write(_ name: String, of store: String = Self.store, change: Int, ago: Int = 0) throws {
        try write(name, text: Self.backup(of: store, change), ago: ago)
    }

    private static func backup(of store: String = Self.store, _ change: Int) -> String {
        let lines = [
            #"{"format":"sooke/3","store":"\#(store)","sequence":\#(change),"at":"2026-11-21T09:30:00Z","#
                + #""chain":"0123456789abcdef","#,
            #""categories":["#, "],",
        ]
        let body = lines.map { $0 + "\n" }.joined()
        var checksum = CRC32C()
        checksum.update(Array(body.utf8)[...])
        let digits = String(checksum.value, radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return body + #""end":{"lines":\#(lines.count),"checksum":"\#(padded)"}}"# + "\n"
    }

    private func write(_ name: String, text: String, ago: Int = 0) throws {
        try folder.write(text, to: name)
        let time = Date(timeIntervalSince1970: TimeInterval(Self.now - ago))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: "\(folder.path)/\(name)")
    }

    private func rotation() throws -> BackupRotation {
        try BackupRotation(try #require(BackupName("\(folder.path)/town-%d")), of: Self.store)
    }

    /// The names of removed files, and of damaged ones.
    private func remove(allBut count: Int, sparing newest: String) throws -> (gone: [String], damaged: [String]) {
        var damaged: [String] = []
        let path = "\(folder.path)/\(newest)"
        let origin = try #require(try FolderCopy.origin(ofSnapshot: path))
        let gone = try rotation().remove(allBut: count, sparing: path, at: origin) { path, isDamaged, _ in
            if isDamaged { damaged.append(path) }
        }
        return (names(gone), names(damaged))
    }

    private func names(_ paths: [String]) -> [String] { paths.map { String($0.dropFirst(folder.path.count + 1)) } }

    private func left() throws -> [String] { try FileDescriptor.workingFolder.names(in: folder.path).sorted() }

    /// Copies have the time of the copy.
    @Test func removesTheOldestStates() throws {
        for (name, change, ago) in [("01", 4, 10), ("02", 7, 40), ("03", 5, 20), ("04", 6, 30), ("05", 8, 50)] {
            try write("town-\(name)", change: change, ago: ago)
        }
        #expect(try remove(allBut: 3, sparing: "town-05") == (["town-01", "town-03"], []))
        #expect(try left() == ["town-02", "town-04", "town-05"])
        #expect(try remove(allBut: 3, sparing: "town-05") == ([], []))
    }

    /// After a restore of an older state, those with more changes are of a branch that was left: the newest two of them
    /// stay, and do not count.
    @Test func keepsTwoOfAnotherBranch() throws {
        for (name, change) in [("01", 7), ("02", 8), ("03", 9), ("04", 1), ("05", 2), ("06", 3)] {
            try write("town-\(name)", change: change)
        }
        #expect(try remove(allBut: 2, sparing: "town-06").gone == ["town-04", "town-01"])
        #expect(try left() == ["town-02", "town-03", "town-05", "town-06"])
    }

    @Test func damagedFilesDoNotCountAndStay() throws {
        for (name, change) in [("01", 1), ("02", 2), ("03", 3), ("05", 9)] { try write("town-\(name)", change: change) }
        let flipped = Self.backup(5).replacing("categories", with: "categoriez")
        try write("town-04", text: flipped)
        try write("town-06", text: Self.backup(6).replacing(#""end""#, with: #""eud""#))
        try write("town-07", text: String(Self.backup(7).dropLast(20)))
        try write("town-08", text: String(Self.backup(8).prefix { $0 != "\n" }) + "\n")
        #expect(try remove(allBut: 3, sparing: "town-05") == (["town-01"], ["town-04"]))
        #expect(
            try left() == ["town-02", "town-03", "town-04", "town-05", "town-06", "town-07", "town-08"])
    }

    @Test func leavesAllElseAlone() throws {
        let start = String(Self.backup(7).prefix { $0 != "\n" })
        try write("town-01", of: String(repeating: "b", count: 32), change: 1)
        try write("town-02", text: "{\"format\":\"sooke/1\",\n")
        try write("town-03", text: "minutes of the council\n")
        try write("town-04", text: "")
        try write("town-05", text: start)
        try write("town-06", text: Self.backup(1).replacing("sooke/3", with: "sooke/99"))
        try write("town-1", change: 1)
        try write("town-01.partial", change: 1)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/town-07", withIntermediateDirectories: false)
        try write("linked", change: 1)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/town-08", withDestinationPath: "\(folder.path)/linked")
        try write("town-31", change: 10)
        let before = try left()
        #expect(try remove(allBut: 1, sparing: "town-31") == ([], []))
        #expect(try rotation().removeAbandoned(at: Timestamp(clampingSeconds: Self.now)) == [])
        #expect(try left() == before)
    }

    @Test func removesItsOwnTemporaryFilesAfterADay() throws {
        let day = 86_400
        for (name, ago) in [
            ("town-01.1f.partial", day + 2), ("town-02.89abcdef.partial", 9 * day), ("town-03.1f.partial", day - 60),
            ("town-04.1f.partial", -day), ("town-5.1f.partial", 9 * day), ("town-06.partial", 9 * day),
            ("town-07.xyz.partial", 9 * day), ("town-08.123456789.partial", 9 * day), ("other.1f.partial", 9 * day),
        ] {
            try write(name, text: "", ago: ago)
        }
        let gone = names(try rotation().removeAbandoned(at: Timestamp(clampingSeconds: Self.now)))
        #expect(gone == ["town-01.1f.partial", "town-02.89abcdef.partial"])
        #expect(try left().count == 7)
    }
}
