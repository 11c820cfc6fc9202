import Glibc

/// Runs another program with input, and waits for it on the caller's thread.
package struct Subprocess {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case system(SystemError)
        case exit(code: Int32)
        case signal(Int32)
        case timeout(milliseconds: Int)
        case tooMuchOutput(bytes: Int)

        package var description: String {
            switch self {
            case .system(let error): "\(error)"
            case .exit(let code): "it ended with exit code \(code)"
            case .signal(let number): "signal \(number) ended it"
            case .timeout(let milliseconds): "it was ended because it took longer than \(milliseconds / 1000) seconds"
            case .tooMuchOutput(let bytes): "it was ended because it wrote more than \(bytes >> 10) KiB"
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
        let child = try Subprocess(program, arguments, input: OwnedDescriptor(ends.reading), timeLimit: timeLimit)
        do throws(Failure) {
            try child.send(input, to: writing)
            try child.wait()
        } catch {
            throw child.ended(after: error)
        }
    }

    /// With an empty environment, and a second input as `/dev/fd/3`, which must fit into a pipe (64 KiB). One that
    /// writes more than `limit` bytes is ended.
    ///
    /// - Returns: the output, and why it failed; nil when it did not.
    package static func output(
        of program: String, _ arguments: [String], input: [UInt8], secondInput: [UInt8], limit: Int, timeLimit: Int
    ) throws(Failure) -> (output: [UInt8], failure: Failure?) {
        let (first, second, third) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        let writing = OwnedDescriptor(first.writing)
        let content = OwnedDescriptor(second.writing)
        let output = OwnedDescriptor(third.reading)
        _ = fcntl(third.writing, F_SETFL, 0)
        let child = try Subprocess(
            program, arguments, input: OwnedDescriptor(first.reading), more: OwnedDescriptor(second.reading),
            output: OwnedDescriptor(third.writing), timeLimit: timeLimit)
        var (bytes, failure) = ([UInt8](), Failure?.none)
        do throws(Failure) {
            try child.send(secondInput, to: content)
            try child.send(input, to: writing)
            try child.read(&bytes, from: output.descriptor, limit: limit)
            try child.wait()
        } catch {
            failure = child.ended(after: error)
        }
        return (bytes, failure)
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

    private func ended(after failure: Failure) -> Failure {
        switch failure {
        case .exit, .signal: break
        case .system, .timeout, .tooMuchOutput: kill()
        }
        return failure
    }

    private func read(_ bytes: inout [UInt8], from pipe: FileDescriptor, limit: Int) throws(Failure) {
        while bytes.count <= limit {
            do throws(SystemError) {
                let isReady = try pipe.wait(for: .readable, milliseconds: Int32(clamping: max(0, remaining))) != []
                if isReady {
                    let part = try pipe.read(upTo: 64 << 10)
                    if part.isEmpty { return }
                    bytes += part
                    continue
                }
            } catch {
                throw .system(error)
            }
            throw .timeout(milliseconds: timeLimit)
        }
        throw .tooMuchOutput(bytes: limit)
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
