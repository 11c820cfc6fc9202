import Bytes
import TestSupport
import Testing

@testable import Journal

/// A damaged snapshot that nothing makes up for: where the damage is.
@Suite struct DamagedSnapshotTests {
    private static let path = "data/\(FileName.snapshot(6))"

    /// A folder as a restore of a backup leaves it: one snapshot, and no commits.
    private func makeStore() throws -> SimulatedDisk {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        for number in 1...6 { try journal.commit(number) }
        try journal.snapshot(Array(1...6))
        let copy = try FolderCopy(
            ofSnapshot: Self.path, to: "copy", fileSystem: disk, options: .small, now: .start)
        try copy.complete()
        var image = disk.afterKill().image
        image.move("data", to: "old")
        image.move("copy", to: "data")
        return image
    }

    @Test(arguments: [0x01, 0x80] as [UInt8])
    func theLineOfEveryChangedByteIsNamed(mask: UInt8) throws {
        let disk = try makeStore()
        let file = try #require(disk.names[Self.path])
        let bytes = disk[file].current
        for (offset, byte) in Cases.sample(bytes.enumerated().map(\.self), every: 3) {
            var changed = disk
            changed[file].overwrite(byte ^ mask, at: offset)
            let survey = try FolderSurvey(of: "data", fileSystem: SimulatedFileSystem(changed))
            let line = bytes[..<offset].count { $0 == ASCII.lineFeed } + 1
            let finding = try #require(survey.report.findings.first)
            #expect(survey.report.verdict == .lost && survey.newestState == nil)
            #expect(survey.damagedSnapshots.map(\.lines) == [[line]], "byte \(offset): \(finding)")
            #expect(finding.line == line && finding.byte.map { $0 <= offset } == true)
        }
    }

    @Test func severalChangedBytesAreReported() throws {
        var disk = try makeStore()
        let file = try #require(disk.names[Self.path])
        let line = try #require(disk[file].current.firstIndex(of: ASCII.lineFeed))
        for offset in [line + 3, line + 6] { disk[file].overwrite(disk[file].current[offset] ^ 3, at: offset) }
        let system = SimulatedFileSystem(disk)
        let survey = try FolderSurvey(of: "data", fileSystem: system)
        #expect(survey.damagedSnapshots.map(\.lines) == [[]])
        #expect(
            survey.report.findings.map(\.message) == [
                "the checksum in the last line is not that of the lines before it; more than one byte was changed"
            ])
        var lines: [Int] = []
        try survey.forEachLine(of: #require(survey.damagedSnapshots.first)) { number, _ in lines.append(number) }
        #expect(lines == Array(1...lines.count) && lines.count > 6)
    }
}
