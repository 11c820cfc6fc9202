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
    private let timeLimit: Int?
    private let deadline: Int

    /// After `timeLimit` (milliseconds), and when it has written more than `limit` bytes, SIGKILL ends the program and
    /// its children. One without a time limit is waited for without waking up.
    ///
    /// - Parameter secondInput: what it reads as `/dev/fd/3`; it must fit into a pipe (64 KiB). With one, the program
    ///   has no environment.
    /// - Returns: what it wrote, also to standard error, and why it failed; nil when it did not.
    package static func run(
        _ program: String, _ arguments: [String], input: [UInt8], secondInput: [UInt8]? = nil, limit: Int = 1 << 20,
        timeLimit: Int?
    ) -> (output: [UInt8], failure: Failure?) {
        var output: [UInt8] = []
        do throws(Failure) {
            let (first, second, third) = (try pipe(), try pipe(), try pipe())
            let writing = OwnedDescriptor(first.writing)
            let content = OwnedDescriptor(second.writing)
            let reading = OwnedDescriptor(third.reading)
            _ = fcntl(third.writing, F_SETFL, 0)
            let child = try Subprocess(
                program, arguments, hasEnvironment: secondInput == nil, input: OwnedDescriptor(first.reading),
                more: OwnedDescriptor(second.reading), output: OwnedDescriptor(third.writing), timeLimit: timeLimit)
            do throws(Failure) {
                try child.send(secondInput ?? [], to: content)
                try child.send(input, to: writing)
                try child.wait(reading: reading.descriptor, into: &output, limit: limit)
            } catch {
                switch error {
                case .exit, .signal: break
                case .system, .timeout, .tooMuchOutput: child.kill()
                }
                throw error
            }
        } catch {
            return (output, error)
        }
        return (output, nil)
    }

    /// As the leader of a process group, with no signal blocked or ignored.
    private init(
        _ program: String, _ arguments: [String], hasEnvironment: Bool, input: consuming OwnedDescriptor,
        more: consuming OwnedDescriptor, output: consuming OwnedDescriptor, timeLimit: Int?
    ) throws(Failure) {
        self.timeLimit = timeLimit
        deadline = timeLimit.map { Clock.monotonic + $0 * 1_000_000 } ?? .max
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.descriptor.number, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.descriptor.number, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.descriptor.number, STDERR_FILENO)
        // The last one: the others may have this number here.
        posix_spawn_file_actions_adddup2(&actions, more.descriptor.number, 3)
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
            hasEnvironment
            ? posix_spawn(&child, program, &actions, &attributes, &words, environ)
            : posix_spawn(&child, program, &actions, &attributes, &words, &none)
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
            guard remaining > 0 else { throw .timeout(milliseconds: timeLimit ?? 0) }
            _ = try? pipe.descriptor.wait(for: .writable, milliseconds: Int32(clamping: remaining))
        }
    }

    /// Until it ends: a child of it may have the pipe open for longer.
    private func wait(reading pipe: FileDescriptor, into output: inout [UInt8], limit: Int) throws(Failure) {
        var (status, pause, isOpen) = (Int32(0), Int32(1), true)
        while true {
            guard remaining > 0 else { throw .timeout(milliseconds: timeLimit ?? 0) }
            // There is no portable way to wait for a process with a timeout.
            let ended = waitpid(process, &status, WNOHANG)
            if ended < 0, errno != EINTR { throw .system(.last) }
            do throws(SystemError) {
                let time = ended == process ? 0 : timeLimit == nil ? -1 : pause
                while isOpen, try pipe.wait(for: .readable, milliseconds: time) != [] {
                    let part = try pipe.read(upTo: 64 << 10)
                    output += part
                    isOpen = !part.isEmpty && output.count <= limit && remaining > 0
                }
            } catch {
                throw .system(error)
            }
            if output.count > limit { throw .tooMuchOutput(bytes: limit) }
            if ended == process { break }
            if !isOpen { usleep(UInt32(pause) * 1000) }
            pause = min(2 * pause, 100)
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
