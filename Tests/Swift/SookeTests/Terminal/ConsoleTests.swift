import Platform
import Testing

@testable import sooke

@Suite struct ConsoleTests {
    /// Lines have a priority where standard error is the journal, and not where it is a file beside it.
    @Test(arguments: [false, true], [false, true])
    func givesThePrioritiesOfTheJournal(isJournal: Bool, isJSON: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try OwnedDescriptor.open("\(folder.path)/errors", [.readWrite, .create])
        let identity = try file.descriptor.status().identity
        let stream = "\(identity.device):\(isJournal ? identity.number : identity.number + 1)"
        var console = Console(errors: file.descriptor, environment: Environment(["JOURNAL_STREAM": stream]))
        console.logsJSON = isJSON
        console.log(.info, "ready")
        console.log(.warning, "slow")
        console.log(.error, "full")
        console.report(CommandError(.inputOutput, "ended"))
        let starts = try folder.text(of: "errors").split(separator: "\n").map { $0.prefix(4) }
        let line = isJSON ? "{\"ti" : "sook"
        #expect(
            starts
                == (isJournal
                ? [line, "<4>\(line.prefix(1))", "<3>\(line.prefix(1))", "<3>\(line.prefix(1))"]
                : [line, line, line, line]).map { $0[...] })
    }
}
