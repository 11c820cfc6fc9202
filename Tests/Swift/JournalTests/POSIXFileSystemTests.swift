import Glibc
import Testing

@testable import Journal

/// The journal on the file system of this machine.
@Suite final class POSIXFileSystemTests {
    private let folder: String
    private var data: String { folder + "/data" }
    private var moved: String { folder + "/moved" }

    init() throws {
        var template = Array("/tmp/sooke-journal-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for path in [data + "/quarantine", data, moved, folder] {
            for name in (try? names(path)) ?? [] { unlink("\(path)/\(name)") }
            rmdir(path)
        }
    }

    private func open() throws(JournalError) -> Opened {
        var ledger = Ledger()
        let (journal, report) = try Journal.open(data, options: .small, now: .start, replaying: &ledger)
        return Opened(journal: journal, report: report, ledger: ledger)
    }

    private func names(_ path: String) throws -> [String] { try POSIXFileSystem().openDirectory(path).list() }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func aStoreLivesOnRealFiles() throws {
        var opened = try open()
        for number in 1...40 { try opened.journal.commit(number) }
        try opened.journal.snapshot(Array(1...40))
        try opened.journal.commit(41)
        try opened.journal.close(now: .start)

        opened = try open()
        #expect(opened.numbers == Array(1...41))
        #expect(opened.report.wasClosed)
        try opened.journal.commit(42)
        #expect(opened.journal.statistics.lastSync > .zero)
        let report = try FolderSurvey(of: data).report
        #expect(report.verdict == .sound)
        #expect(report.commits == 42)
    }

    @Test func aTornEndGoesToTheQuarantine() throws {
        // The lock is released with the journal, as at the end of a process.
        try open().journal.commit(1)
        let file = fopen("\(data)/\(FileName.segment(1))", "a")
        fputs("01234567 {\"seq", file)
        fclose(file)
        let opened = try open()
        #expect(opened.numbers == [1])
        #expect(opened.report.warnings.map(\.kind) == [.cut])
        #expect(try names(data + "/quarantine").count == 1)
    }

    @Test func filesAreForTheirOwnerOnly() throws {
        let previous = umask(0)
        defer { umask(previous) }
        let opened = try open()
        try opened.journal.commit(1)
        try opened.journal.snapshot([1])
        #expect(mode(data) == 0o700)
        for name in try names(data) { #expect(mode("\(data)/\(name)") == 0o600, "\(name)") }
    }

    @Test func aSecondJournalIsTurnedAway() throws {
        let opened = try open()
        let error = #expect(throws: JournalError.self) { try open() }
        #expect(error?.kind == .locked)
        try opened.journal.close(now: .start)
        _ = try open()
    }

    @Test func aFolderWithoutAParentIsAnError() {
        var ledger = Ledger()
        do throws(JournalError) {
            _ = try Journal.open(folder + "/none/data", now: .start, replaying: &ledger)
            Issue.record("opened")
        } catch {
            #expect(error.kind == .inputOutput)
            #expect(error.cause?.code == ENOENT)
            #expect(error.description.contains("No such file or directory"))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read and write everything"), arguments: [0o000, 0o500] as [mode_t])
    func aFolderWithoutRightsIsAnError(mode: mode_t) throws {
        mkdir(data, mode)
        defer { chmod(data, 0o700) }
        let error = #expect(throws: JournalError.self) { try open() }
        #expect(error?.kind == .forbidden)
    }

    // MARK: - The calls themselves

    @Test func aNameIsMadeOnlyOnce() throws {
        let system = try POSIXFileSystem().openDirectory(folder)
        _ = try system.create("file")
        let error = #expect(throws: FileSystemError.self) { _ = try system.create("file") }
        #expect(error?.isExisting == true)
        #expect(error?.description == "cannot create \(folder)/file: File exists")
    }

    @Test func whatIsAppendedIsRead() throws {
        let file = try POSIXFileSystem().openDirectory(folder).create("file")
        try file.append(Array("hello, ".utf8))
        try file.append([])
        try file.append(Array("world".utf8))
        try file.sync()
        #expect(try file.length() == 12)
        #expect(try file.read(at: 7, count: 100) == Array("world".utf8))
        #expect(try file.read(at: 12, count: 100) == [])
        try file.truncate(to: 5)
        try file.append(Array("!".utf8))
        #expect(try POSIXFileSystem().open(folder + "/file").read(at: 0, count: 100) == Array("hello!".utf8))
    }

    @Test func aFileGoesFromNameToName() throws {
        let system = try POSIXFileSystem().openDirectory(folder)
        _ = try system.create("a")
        try system.rename("a", to: "b")
        try system.sync()
        #expect(try system.list() == ["b"])
        #expect(try system.list() == ["b"], "a second time")
        try system.remove("b")
        #expect(throws: FileSystemError(.open, path: folder + "/b", code: ENOENT)) { _ = try system.open("b") }
        try system.createDirectory("c")
        _ = try system.create("c/d")
        #expect(try system.openDirectory("c").list() == ["d"])
        try system.remove("c/d")
        try system.remove("c")
        #expect(try system.list() == [])
    }

    // MARK: - A folder that is not where it was

    /// The ways in which the folder of an open journal can be displaced.
    enum Displacement: CaseIterable {
        case moved, replaced, replacedByALink, deletedLock, replacedLock
    }

    private func make(_ displacement: Displacement) throws {
        switch displacement {
        case .moved: rename(data, moved)
        case .replaced:
            rename(data, moved)
            _ = try open()
        case .replacedByALink:
            rename(data, moved)
            symlink(folder, data)
        case .deletedLock: unlink(data + "/lock")
        case .replacedLock:
            unlink(data + "/lock")
            _ = try POSIXFileSystem().openDirectory(data).create("lock")
        }
    }

    private func contents(_ path: String) throws -> [String: [UInt8]] {
        let folder = try POSIXFileSystem().openDirectory(path)
        var contents: [String: [UInt8]] = [:]
        for name in try folder.list() { contents[name] = try folder.open(name).read(at: 0, count: 1 << 20) }
        return contents
    }

    @Test(arguments: Displacement.allCases)
    func aDisplacedJournalWritesNothingMore(displacement: Displacement) throws {
        let journal = try open().journal
        try journal.commit(1)
        try make(displacement)
        let isMoved = ![.deletedLock, .replacedLock].contains(displacement)
        let before = try contents(isMoved ? moved : data)
        let there = displacement == .replaced ? try contents(data) : nil

        let failure = #expect(throws: JournalError.self) { try journal.commit(2) }
        #expect(failure?.isFatal == true)
        #expect(failure?.isDisplaced == true)
        let place = isMoved ? data : "\(data)/lock"
        #expect(failure?.description.hasPrefix("\(place) was moved, deleted or replaced while it was in use") == true)
        #expect(throws: JournalError.self) { try journal.close(now: .start) }
        #expect(try contents(isMoved ? moved : data) == before)
        if let there { #expect(try contents(data) == there) }
        if isMoved {
            if displacement != .moved { rename(data, folder + "/other") }
            rename(moved, data)
            #expect(try open().numbers == [1])
        }
    }

    @Test(arguments: Displacement.allCases)
    func aDisplacedSnapshotGetsNoName(displacement: Displacement) throws {
        let journal = try open().journal
        try journal.commit(1)
        try make(displacement)
        let failure = #expect(throws: JournalError.self) { try journal.snapshot([1]) }
        #expect(failure?.isFatal == true)
        #expect(failure?.isDisplaced == true)
        for path in [data, moved] {
            #expect(!((try? names(path)) ?? []).contains { $0.hasPrefix("snapshot-") })
        }
    }

    @Test func secondJournalIsRefusedWithoutTheLockFile() throws {
        let journal = try open().journal
        try journal.commit(1)
        unlink(data + "/lock")
        let error = #expect(throws: JournalError.self) { try open() }
        #expect(error?.kind == .locked)
        #expect(try names(data).contains("lock") == false)
    }
}
