import Bytes
import Journal
import Testing

@testable import sooke

/// A folder is sound when a server would start with it, not only when its bytes are as they were written.
@Suite struct VerifyCommandTests {
    private struct Nothing: Replayer {
        mutating func begin(_ origin: CheckedDocument.Origin?) {}
        mutating func snapshotLine(_ line: ArraySlice<UInt8>) {}
        mutating func endSnapshot() {}
        mutating func commit(_ commit: LoggedCommit) {}
    }

    @Test(arguments: [
        (#"{"category":{"id":1,"name":"Bars","slug":"bars"}}"#, nil),
        (
            #"{"event_type":{"id":1,"name":"Fairs","slug":"fairs"}},{"event":{"id":1,"event_type":"fairs","name":"#
                + #""Fair","slug":"fair","starts_at":"2027-01-01T00:00:00Z","rdates":["10000-01-01T03:00:00Z"]}}"#,
            "rdates[0]"
        ),
        (
            #"{"event":{"id":1,"event_type":"none","name":"Fair","slug":"f","starts_at":"2027-01-01T00:00:00Z"}}"#,
            "none"
        ),
        (#"{"volcano":{"id":1}}"#, "names no known kind"),
    ])
    func isSoundWhenAStartReadsIt(changes: String, problem: String?) throws {
        let folder = try TemporaryFolder()
        var nothing = Nothing()
        let (journal, _) = try Journal.open("\(folder.path)/town", now: .epoch, replaying: &nothing)
        journal.append { $0 += Array(#""at":"2026-11-28T09:00:00Z","by":"local","changes":[\#(changes)]"#.utf8) }
        try journal.flush(now: .epoch)
        try journal.close(now: .epoch)

        let captured = try CapturedConsole()
        let exit = Program.sooke.run(["verify", "--data", "\(folder.path)/town"], on: captured.console)
        let text = try captured.outputText()
        #expect(exit == (problem == nil ? .success : .answersLost), "\(text)")
        #expect(text.contains("all is sound") == (problem == nil), "\(text)")
        if let problem { #expect(text.contains("line 2") && text.contains(problem), "\(text)") }
    }
}
