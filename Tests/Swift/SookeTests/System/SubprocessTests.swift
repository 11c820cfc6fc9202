import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct SubprocessTests {
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
        let made = Subprocess.run(
            "/bin/sh", ["-c", "cat > \(path) && chmod 755 \(path)"], input: Array(text.utf8), timeLimit: 600_000)
        #expect(made.failure == nil)
        return path
    }

    private func run(
        _ script: String, input: [UInt8] = [], timeLimit: Int = 600_000
    ) throws -> Subprocess.Failure? {
        Subprocess.run(try program(script), ["-t", "-i"], input: input, timeLimit: timeLimit).failure
    }

    @Test func givesTheProgramItsInputAndArguments() throws {
        let input = [UInt8](repeating: 0x78, count: 300_000)
        #expect(try run("echo \"$@\" > arguments; cat > input", input: input) == nil)
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
            let failure = Subprocess.run(script, [], input: [], timeLimit: 600_000).failure
            precondition(failure == nil)
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
        #expect(try run(script, timeLimit: isTimeout ? 200 : 600_000) == failure)
    }

    /// Mail programs deliver in the background.
    @Test func doesNotWaitForItsChildren() throws {
        #expect(try run("sleep 60 &") == nil)
    }

    @Test func saysThatThereIsNoProgram() {
        let failure = Subprocess.run("\(folder.path)/missing", [], input: [], timeLimit: 1000).failure
        #expect(failure == .system(SystemError(code: ENOENT)))
    }

    private func output(_ script: String, timeLimit: Int = 600_000) throws -> (text: String, Subprocess.Failure?) {
        let (output, failure) = Subprocess.run(
            try program(script), [], input: Array("first".utf8), secondInput: Array("second ".utf8), limit: 200_000,
            timeLimit: timeLimit)
        return (String(decoding: output, as: UTF8.self), failure)
    }

    @Test func givesASecondInputAndNoEnvironment() throws {
        let (text, failure) = try output(
            "cat /dev/fd/3 -; /usr/bin/env | grep -v -e ^PWD -e ^OLDPWD -e ^_ -e ^SHLVL; exit 9")
        #expect(text == "second first" && failure == .exit(code: 9))
    }

    /// What it wrote before stays: it may say why.
    @Test func endsWhatWritesTooMuchOrHangs() throws {
        #expect(try output("head -c 150000 /dev/zero").text.utf8.count == 150_000)
        #expect(try output("cat /dev/zero").1 == .tooMuchOutput(bytes: 200_000))
        let (text, failure) = try output("echo so far; exec sleep 600", timeLimit: 300)
        #expect(text == "so far\n" && failure == .timeout(milliseconds: 300))
    }
}
