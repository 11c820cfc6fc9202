import CSystem
import Foundation

/// A program that a test starts, whose output goes to a file.
///
/// `Foundation.Process` reads past the end of a list of open files while it starts a program, and so ends the whole run
/// of tests now and then (swift-corelibs-foundation of Swift 6.3).
public final class ChildProcess {
    /// Why a program failed: what it said.
    public struct Failure: Error {
        /// Its output, errors included.
        public let output: String
    }

    private let process: pid_t
    private let file: URL
    private var status: Int32?

    /// Starts a program, which inherits no open file.
    public init(_ program: String, _ arguments: [String]) throws {
        file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        process = child
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: file)
    }

    /// What it has written until now.
    public var output: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// Ends it at once, and waits for its end.
    public func kill() {
        if status == nil { CSystem.kill(process, SIGKILL) }
        wait()
    }

    /// Waits for its end, and returns what it has written.
    ///
    /// - Throws: `Failure` unless its exit status is 0.
    @discardableResult
    public func succeed() throws -> String {
        wait()
        guard status == 0 else { throw Failure(output: output) }
        return output
    }

    /// Waits until it has written a text, and returns its output.
    ///
    /// - Throws: `Failure` when it ends before.
    public func output(containing text: String) throws -> String {
        while true {
            let output = output
            if output.contains(text) { return output }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                self.status = status
                throw Failure(output: self.output)
            }
            usleep(1000)
        }
    }

    private func wait() {
        var status: Int32 = 0
        while self.status == nil {
            if waitpid(process, &status, 0) == process { self.status = status }
        }
    }
}
