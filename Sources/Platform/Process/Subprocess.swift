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
        try child.finish(input, writing)
    }

    /// With an empty environment, and a second input as `/dev/fd/3`. That and the output must fit into a pipe, 64 KiB.
    ///
    /// - Returns: the output, and why it failed; nil when it did not.
    package static func run(
        _ program: String, _ arguments: [String], input: [UInt8], secondInput: [UInt8], timeLimit: Int
    ) throws(Failure) -> (output: [UInt8], failure: Failure?) {
        let (first, second, third) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        let writing = OwnedDescriptor(first.writing)
        let reading = OwnedDescriptor(first.reading)
        let more = OwnedDescriptor(second.reading)
        let output = OwnedDescriptor(third.reading)
        do throws(SystemError) {
            let content = OwnedDescriptor(second.writing)
            guard try content.descriptor.writeSome(secondInput[...]) == secondInput.count else { throw .inputOutput }
        } catch {
            throw .system(error)
        }
        _ = fcntl(third.writing, F_SETFL, 0)
        let child = try Subprocess(
            program, arguments, input: reading, more: more, output: OwnedDescriptor(third.writing),
            timeLimit: timeLimit)
        var failure: Failure?
        do throws(Failure) { try child.finish(input, writing) } catch { failure = error }
        return ((try? output.descriptor.read(upTo: 64 << 10)) ?? [], failure)
    }

    /// As the leader of a process group, with no signal blocked or ignored. With a second input it has its output apart
    /// and no environment.
    private init(
        _ program: String, _ arguments: [String], input: consuming OwnedDescriptor,
        more: consuming OwnedDescriptor? = nil, output: consuming OwnedDescriptor? = nil, timeLimit: Int
    ) throws(Failure) {
        self.timeLimit = timeLimit
        deadline = Clock.monotonic + timeLimit * 1_000_000
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.descriptor.number, STDIN_FILENO)
        let errors = output?.descriptor.number ?? STDERR_FILENO
        posix_spawn_file_actions_adddup2(&actions, errors, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        // The last one: the others may have this number here.
        if let more = more?.descriptor.number { posix_spawn_file_actions_adddup2(&actions, more, 3) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (nothing, all) = (sigset_t(), sigset_t())
        sigemptyset(&nothing)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        var none: [UnsafeMutablePointer<CChar>?] = [nil]
        let code =
            more == nil
            ? posix_spawn(&child, program, &actions, &attributes, &words, environ)
            : posix_spawn(&child, program, &actions, &attributes, &words, &none)
        guard code == 0 else { throw .system(SystemError(code: code)) }
        process = child
    }

    private func finish(_ input: [UInt8], _ pipe: consuming OwnedDescriptor) throws(Failure) {
        do throws(Failure) {
            try send(input, to: pipe)
            try wait()
        } catch {
            if case .timeout = error { kill() }
            throw error
        }
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
