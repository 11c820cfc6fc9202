import Bytes
import Platform

/// Runs curl, a child process, without the files of any user. What it does, with addresses and secrets, is on its
/// standard input, and what it sends in a pipe: no list of processes shows them.
struct Curl: Sendable {
    private let program: String

    /// In seconds; see `MailQueue.leaseSeconds`.
    private static let (connectTime, time) = (20, 60)

    init(_ console: Console) throws(CommandError) {
        let folders = console.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let programs = folders.split(separator: ":").map { "\($0)/curl" }
        guard let program = programs.first(where: FileDescriptor.workingFolder.exists) else {
            throw CommandError(.configuration, "curl is missing, which opens connections; run: apt install curl")
        }
        self.program = program
    }

    /// - Parameters:
    ///   - options: by their long names; a flag has no value.
    ///   - upload: what it reads as `/dev/fd/3`; at most 64 KiB.
    ///   - limit: of the output in bytes.
    func run(
        _ options: [(name: String, value: String?)], upload: [UInt8] = [], limit: Int = 1 << 20
    ) -> (output: [UInt8], failure: String?) {
        let times = [("connect-timeout", "\(Self.connectTime)"), ("max-time", "\(Self.time)")]
        let lines = (times + options).map { name, value in value.map { "\(name) = \(Self.quoted($0))\n" } ?? "\(name)\n"
        }
        let (output, failure) = Subprocess.run(
            program, ["-q", "--noproxy", "*", "--config", "-"], input: Array(lines.joined().utf8), secondInput: upload,
            limit: limit, timeLimit: (Self.time + 10) * 1000)
        return (output, failure.map { "curl: \($0)" })
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())\""
    }
}
