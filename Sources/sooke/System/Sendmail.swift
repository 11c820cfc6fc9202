import Bytes
import Platform
import Service
import Synchronization

/// Sends e-mail through a local program with the interface of `sendmail -t`, one message at a time, on a thread of its
/// own: the program may take as long as a remote mail server.
final class Sendmail: Sendable {
    struct Limits {
        /// Waiting messages; further ones are refused.
        var waiting = 100
        /// The timeout for the program, in milliseconds.
        var time = 60_000
    }

    private let program: String
    private let limits: Limits
    private let failed: @Sendable (String) -> Void
    private let waiting = Mutex<[Mail]>([])
    private let wakeup: Wakeup

    /// Starts the thread, which is never joined: the process may end while a message waits. `failed` is called there.
    init(
        _ program: String, limits: Limits = Limits(), failed: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        (self.program, self.limits, self.failed) = (program, limits, failed)
        wakeup = try Wakeup()
        try Thread.start { [self] in
            while true {
                _ = wakeup.wait(milliseconds: -1)
                wakeup.clear()
                while let mail = takeNext() { deliver(mail) }
            }
        }
    }

    /// Never blocks.
    func send(_ mail: Mail) {
        guard Self.isPlain(mail.to) else { return fail(mail, "the address cannot stand in the header of a message") }
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < limits.waiting else { return false }
            waiting.append(mail)
            return true
        }
        guard isTaken else { return fail(mail, "\(limits.waiting) messages wait for \(program) already") }
        wakeup.signal()
    }

    /// A message in the format of RFC 5322. Text from a record cannot begin a new header line.
    static func text(of mail: Mail) -> [UInt8] {
        let subject = mail.subject.filter { !$0.isNewline }
        return Array(
            """
            To: \(mail.to)
            Subject: \(subject)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: 8bit

            \(mail.text)
            """.utf8)
    }

    /// Whether a text is a single address in a header (RFC 5322, section 3.2.3).
    static func isPlain(_ address: String) -> Bool {
        let bytes = address.utf8
        return bytes.count { $0 == UInt8(ascii: "@") } == 1
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && !separators.contains($0) }
    }

    private static let separators = Array(#"()<>[]:;\,""#.utf8)

    private func takeNext() -> Mail? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    private func deliver(_ mail: Mail) {
        do throws(Subprocess.Failure) {
            try Subprocess.run(program, ["-t", "-i"], input: Self.text(of: mail), timeLimit: limits.time)
        } catch {
            fail(mail, "\(program): \(error)")
        }
    }

    private func fail(_ mail: Mail, _ reason: String) {
        failed("no e-mail was sent to \(mail.to.withoutControls): \(reason)")
    }
}
