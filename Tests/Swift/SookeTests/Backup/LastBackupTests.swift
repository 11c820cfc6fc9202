import Service
import Testing

@testable import sooke

/// What a data folder says of its last backup.
@Suite struct LastBackupTests {
    private let folder: TemporaryFolder
    private let captured: CapturedConsole

    init() throws {
        (folder, captured) = (try TemporaryFolder(), try CapturedConsole())
        try folder.write("", to: "manifest.json")
    }

    private var last: LastBackup { LastBackup(of: folder.path) }

    private func backUp(failing error: CommandError? = nil, isDone: Bool = true) {
        try? LastBackup.store(in: folder.path, captured.console) { () throws(CommandError) in
            if let error { throw error }
            return isDone
        }
    }

    /// A success ends a failure; a failure keeps the time of the last success.
    @Test func hasTheLastResult() throws {
        #expect(last.at == nil && last.failure == nil)
        backUp()
        let first = try #require(last.at)
        backUp(failing: CommandError(.inputOutput, "the disk is \"full\""))
        #expect(last.at == first)
        #expect(last.failure?.reason == "the disk is \"full\"")
        #expect(try #require(last.failure).at >= first)
        backUp()
        #expect(try #require(last.at) > first)
        #expect(last.failure == nil)
        #expect(try captured.errorsText() == "")
    }

    /// Neither ends what is known of the other.
    @Test func hasTheLastCheck() throws {
        backUp()
        let text = try LastBackup.storeCheck(in: folder.path, captured.console) { "it restores" }
        #expect(text == "it restores" && last.check?.isGood == true && last.check?.text == text && last.at != nil)
        let damage = CommandError(.badData, "its checksum is wrong")
        #expect(throws: damage) {
            try LastBackup.storeCheck(in: folder.path, captured.console) { () throws(CommandError) in throw damage }
        }
        backUp()
        #expect(last.check?.isGood == false && last.check?.text == damage.message && last.failure == nil)
    }

    /// A file in a folder that becomes a town would keep a restore from it.
    @Test(arguments: [nil, "restore-in-progress"])
    func leavesOtherFoldersAlone(file: String?) throws {
        let other = try TemporaryFolder()
        if let file { try other.write("", to: file) }
        if file != nil { try other.write("", to: "manifest.json") }
        try LastBackup.store(in: other.path, captured.console) { true }
        #expect(LastBackup(of: other.path).at == nil)
    }

    @Test(arguments: ["", "{", #"{"at":5}"#, #"{"at":"yesterday"}"#, "[]"])
    func readsNothingFromADamagedFile(text: String) throws {
        try folder.write(text, to: "backup.json")
        #expect(last.at == nil && last.failure == nil)
    }
}
