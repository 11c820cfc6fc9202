import API

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Hands letters to a local program that takes them as `sendmail -t` does: header and text on standard input.
struct Sendmail: Sendable {
    private let program: String

    init(_ program: String) {
        self.program = program
    }

    /// Starts the program and gives it a letter, without waiting for it to end well.
    ///
    /// - Parameter failed: is told why there was no letter.
    func send(_ mail: Mail, failed: @escaping @Sendable (String) -> Void) {
        let program = program
        Task.detached {
            do {
                try Self.run(program, with: Self.text(of: mail))
            } catch {
                failed("\(program): \(error)")
            }
        }
    }

    /// A letter as RFC 5322 has it. What comes from a record cannot begin a line of its own.
    static func text(of mail: Mail) -> [UInt8] {
        let to = mail.to.filter { !$0.isNewline }
        let subject = mail.subject.filter { !$0.isNewline }
        return Array(
            """
            To: \(to)
            Subject: \(subject)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: 8bit

            \(mail.text)
            """.utf8)
    }

    private static func run(_ program: String, with text: [UInt8]) throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .last }
        let reading = OwnedDescriptor(ends[0])
        let writing = OwnedDescriptor(ends[1])
        _ = fcntl(reading.descriptor.number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writing.descriptor.number, F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, reading.descriptor.number, STDIN_FILENO)
        var arguments = [strdup(program), strdup("-t"), strdup("-i"), nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, nil, &arguments, environ)
        guard result == 0 else { throw SystemError(code: result) }
        try writing.descriptor.write(text)
        _ = consume writing
        var status: Int32 = 0
        _ = try SystemError.retryingInterrupts { waitpid(child, &status, 0) }
        guard status == 0 else { throw SystemError(code: EPIPE) }
    }
}
