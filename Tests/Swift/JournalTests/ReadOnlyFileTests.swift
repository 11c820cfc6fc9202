import Testing

@testable import Journal

/// The state of a read-only store in its folder.
@Suite struct ReadOnlyFileTests {
    private static let state = Array(#"{"since":null,"reason":"moving"}"#.utf8)

    /// It survives a loss of power, and so does its end.
    @Test func isDurable() throws {
        var disk = SimulatedFileSystem()
        for state in [Self.state, Array("{}".utf8), nil, nil, Self.state] {
            let opened = try Journal.open(disk)
            try opened.journal.setReadOnly(state)
            #expect(opened.journal.readOnlyState == state)
            disk = disk.afterPowerLoss()
            let reopened = try Journal.open(disk)
            #expect(reopened.journal.readOnlyState == state)
            #expect(reopened.report.warnings.isEmpty)
            try reopened.journal.close(now: .start)
            disk = disk.afterKill()
        }
    }

    /// Nobody knows any more whether another machine has taken over.
    @Test func aDamagedFileIsReadOnlyToo() throws {
        let disk = SimulatedFileSystem()
        let opened = try Journal.open(disk)
        try opened.journal.setReadOnly(Self.state)
        try opened.journal.close(now: .start)
        disk.withDisk { disk in
            guard let file = disk.names["data/\(FileName.readOnly)"] else { return }
            disk[file].overwrite(0, at: 40)
        }
        let report = try FolderSurvey(of: "data", fileSystem: disk.afterKill()).report
        #expect(report.findings.map(\.file) == [FileName.readOnly])
        let damaged = try Journal.open(disk.afterKill())
        #expect(damaged.journal.readOnlyState == [])
        #expect(damaged.report.warnings.map(\.kind) == [.readOnly])
        try damaged.journal.setReadOnly(nil)
        #expect(damaged.journal.readOnlyState == nil)
    }

    /// The copy may take the place of the folder.
    @Test func aCopyOfAReadOnlyFolderIsReadOnly() throws {
        let disk = SimulatedFileSystem()
        let opened = try Journal.open(disk)
        try opened.journal.commit(1)
        try opened.journal.setReadOnly(Self.state)
        try opened.journal.close(now: .start)
        let copied = disk.afterKill()
        let survey = try FolderSurvey(of: "data", fileSystem: copied)
        let copy = try FolderCopy(
            of: 1, from: survey, to: "copy", keepingRest: true, fileSystem: copied, options: .small, now: .start)
        let folder = try StoreFolder("copy", fileSystem: copied)
        #expect(try ReadOnlyFile.read(folder)?.file.state == Self.state)
        withExtendedLifetime(copy) {}
    }

    @Test func aFullDiskChangesNothing() throws {
        let disk = SimulatedFileSystem()
        let journal = try Journal.open(disk).journal
        disk.withDisk { $0.capacity = $0.capacity - $0.room }
        let failure = #expect(throws: JournalError.self) { try journal.setReadOnly(Self.state) }
        #expect(failure?.isFatal == false)
        #expect(journal.readOnlyState == nil)
    }
}
