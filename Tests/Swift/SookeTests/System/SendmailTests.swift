import Service
import Foundation
import Platform
import Synchronization
import Testing

@testable import sooke

@Suite struct SendmailTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A program in the folder that runs a shell script.
    ///
    /// This process itself never opens it for writing: a program that another test starts meanwhile would keep it open
    /// for a time, and then it could not be run.
    private func program(_ script: String) throws -> String {
        let path = "\(folder.path)/mail"
        let text = "#!/bin/sh\ncd \(folder.path)\n\(script)\n"
        try Subprocess.run(
            "/bin/sh", ["-c", "cat > \(path) && chmod 755 \(path)"], input: Array(text.utf8), timeLimit: 600_000)
        return path
    }

    private func run(_ script: String, input: [UInt8] = [], timeLimit: Int = 600_000) throws {
        try Subprocess.run(try program(script), ["-t", "-i"], input: input, timeLimit: timeLimit)
    }

    @Test func givesTheProgramItsInputAndArguments() throws {
        let input = [UInt8](repeating: 0x78, count: 300_000)
        try run("echo \"$@\" > arguments; cat > input", input: input)
        #expect(try folder.text(of: "arguments") == "-t -i\n")
        #expect(try folder.text(of: "input").utf8.elementsEqual(input))
    }

    /// A thread that blocks every signal, as those of the concurrency runtime do, hands that on unless told otherwise.
    @Test func startsTheProgramWithoutBlockedOrIgnoredSignals() async throws {
        let script = try program("grep -E '^Sig(Blk|Ign)' /proc/self/status > signals")
        await #expect(processExitsWith: .success) { [script = script as String] in
            signal(SIGPIPE, SIG_IGN)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            try Subprocess.run(script, [], input: [], timeLimit: 600_000)
        }
        let sets = try folder.text(of: "signals").split(separator: "\n").map { $0.split(separator: "\t").last ?? "" }
        // glibc itself ignores two signals of its own, 32 and 33.
        #expect(sets.map { UInt64($0, radix: 16).map { $0 & 0x7FFF_FFFF } } == [0, 0])
    }

    @Test(arguments: [
        ("exit 75", Subprocess.Failure.exit(code: 75)), ("kill -TERM $$", .signal(SIGTERM)),
        ("sleep 600", .timeout(milliseconds: 200)), ("sleep 600 & wait", .timeout(milliseconds: 200)),
    ])
    func saysWhyItFailed(script: String, failure: Subprocess.Failure) throws {
        let isTimeout = failure == .timeout(milliseconds: 200)
        #expect(throws: failure) { try run(script, timeLimit: isTimeout ? 200 : 600_000) }
    }

    @Test func saysThatThereIsNoProgram() {
        #expect(throws: Subprocess.Failure.system(SystemError(code: ENOENT))) {
            try Subprocess.run("\(folder.path)/missing", [], input: [], timeLimit: 1000)
        }
    }

    /// `send` never waits, however long the program takes, and no more than the limit waits.
    @Test func queuesAFewMessagesAndRefusesTheRest() throws {
        let refusals = Mutex<[String]>([])
        // The program ends with the folder of the test.
        let program = try program("echo > started; while [ -e mail ]; do sleep 0.1; done")
        try Subprocess.run("/usr/bin/env", ["mkfifo", "\(folder.path)/started"], input: [], timeLimit: 600_000)
        let mailer = try Sendmail(program, limits: .init(waiting: 2, time: 3_600_000)) { reason in
            refusals.withLock { $0.append(reason) }
        }
        mailer.send(Mail(to: "a1@town.example", subject: "", text: ""))
        // The pipe opens once the program has the first message: from then on nothing leaves the queue.
        _ = try OwnedDescriptor.open("\(folder.path)/started", .read)
        for number in 2...5 { mailer.send(Mail(to: "a\(number)@town.example", subject: "", text: "")) }
        let reason = "2 messages wait for \(program) already"
        #expect(
            refusals.withLock(\.self) == ["a4", "a5"].map { "no e-mail was sent to \($0)@town.example: \(reason)" })
    }

    @Test func sendsOneAfterTheOther() throws {
        let problem = DispatchSemaphore(value: 0)
        let script = try program("cat > last; cat last >> sent; ! grep -q third last")
        let mailer = try Sendmail(script) { _ in problem.signal() }
        mailer.send(Mail(to: "a@town.example", subject: "One\nBcc: b@town.example", text: "first\n"))
        mailer.send(Mail(to: "c@town.example", subject: "Two", text: "second\n"))
        mailer.send(Mail(to: "d@town.example", subject: "Three", text: "third\n"))
        problem.wait()
        let sent = try folder.text(of: "sent")
        #expect(sent.hasPrefix("To: a@town.example\nSubject: OneBcc: b@town.example\nMIME-Version: 1.0\n"))
        #expect(sent.contains("\n\nfirst\nTo: c@town.example\nSubject: Two\n"))
    }

    @Test(arguments: [
        ("ada@town.example", true), ("ada+news@town.example", true), ("zoë@town.example", true), ("ada", false),
        ("ada@town.example,bob@town.example", false), ("ada@town.example;bob", false), ("a,b@town.example", false),
        ("Ada <ada@town.example>", false), ("<ada@town.example>", false), ("\"a b\"@town.example", false),
        ("friends:ada@town.example", false), ("ada@town.example\nBcc: b", false), ("ada(x)@town.example", false),
        ("a\\b@town.example", false), ("ada@@town.example", false), ("", false),
    ])
    func takesOneAddress(text: String, isOne: Bool) {
        #expect(Sendmail.isPlain(text) == isOne)
    }
}
