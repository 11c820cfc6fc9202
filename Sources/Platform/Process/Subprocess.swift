import Glibc

/// Runs another program with input, and waits for it on the caller's thread.
package struct Subprocess {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case system(SystemError)
        case exit(code: Int32)
        case signal(Int32)
        case timeout(milliseconds: Int)

        package var description: String {
            switch self {
            case .system(let error): "\(error)"
            case .exit(let code): "it ended with exit code \(code)"
            case .signal(let number): "signal \(number) ended it"
            case .timeout(let milliseconds): "it was ended because it took longer than \(milliseconds / 1000) seconds"
            }
        }
    }

    private let process: pid_t
    private let timeLimit: Int
    private let deadline: Int

    /// Its output goes to standard error. After `timeLimit` (milliseconds) SIGKILL ends the program and its children.
    package static func run(
        _ program: String, _ arguments: [String], input: [UInt8], timeLimit: Int
    ) throws(Failure) {
        let ends = try Self.pipe()
        let writing = OwnedDescriptor(ends.writing)
        let reading = OwnedDescriptor(ends.reading)
        let child = try Subprocess(program, arguments, input: reading, timeLimit: timeLimit)
        do throws(Failure) {
            try child.send(input, to: writing)
            try child.wait()
        } catch {
            if case .timeout = error { child.kill() }
            throw error
        }
    }

    /// As the leader of a process group, with no signal blocked or ignored.
    private init(
        _ program: String, _ arguments: [String], input: consuming OwnedDescriptor, timeLimit: Int
    ) throws(Failure) {
        self.timeLimit = timeLimit
        deadline = Clock.monotonic + timeLimit * 1_000_000
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.descriptor.number, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, &attributes, &words, environ)
        guard code == 0 else { throw .system(SystemError(code: code)) }
        process = child
    }

    /// A program that does not read all of it decides by its exit code whether it succeeded.
    private func send(_ input: [UInt8], to pipe: consuming OwnedDescriptor) throws(Failure) {
        var rest = input[...]
        while !rest.isEmpty {
            do throws(SystemError) {
                rest = rest.dropFirst(try pipe.descriptor.writeSome(rest))
                continue
            } catch {
                if error.isBrokenPipe { return }
                guard error.wouldBlock || error.code == EINTR else { throw .system(error) }
            }
            guard remaining > 0 else { throw .timeout(milliseconds: timeLimit) }
            _ = try? pipe.descriptor.wait(for: .writable, milliseconds: Int32(clamping: remaining))
        }
    }

    private func wait() throws(Failure) {
        var status: Int32 = 0
        var pause: UInt32 = 1000
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { break }
            if ended < 0, errno != EINTR { throw .system(.last) }
            guard remaining > 0 else { throw .timeout(milliseconds: timeLimit) }
            // There is no portable way to wait for a process with a timeout.
            usleep(pause)
            pause = min(2 * pause, 100_000)
        }
        guard status != 0 else { return }
        let number = status & 0x7F
        throw number == 0 ? .exit(code: status >> 8 & 0xFF) : .signal(number)
    }

    private func kill() {
        Glibc.kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private var remaining: Int { (deadline - Clock.monotonic + 999_999) / 1_000_000 }

    /// Close-on-exec; its writing end is non-blocking.
    private static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw .system(.last) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }
}
