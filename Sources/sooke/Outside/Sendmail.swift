import Bytes
import Platform
import Service

/// Sends the town's e-mail through a local program with the interface of `sendmail -t`, one message at a time, on a
/// thread of its own: the program may take as long as a remote mail server.
struct Sendmail {
    /// The timeout for the program, in milliseconds.
    private static let time = 60_000
    private static let pause = Duration.seconds(1)

    /// Starts the thread, which is never joined: what the process leaves behind waits for the next one. `failed` is
    /// called there.
    static func start(_ service: TownService, failed: @escaping @Sendable (String) -> Void) throws(SystemError) {
        guard let program = service.mail.program else { return }
        try Thread.start(name: "sendmail") {
            while true {
                guard let mail = try? waitFor({ try await service.takeMail(from: nil) }) else {
                    Thread.sleep(pause)
                    continue
                }
                let problem = deliver(mail, to: program)
                if let problem { failed("message \(mail.id) was not sent: \(problem)") }
                while (try? waitFor({ try await report(problem, mail, service) })) == nil { Thread.sleep(pause) }
            }
        }
    }

    private static func report(_ problem: String?, _ mail: MailMessage, _ service: TownService) async throws {
        try await service.reportMail(mail.id, problem == nil ? .sent : .failed, words: problem ?? "")
    }

    private static func deliver(_ mail: MailMessage, to program: String) -> String? {
        do throws(Subprocess.Failure) {
            try Subprocess.run(program, ["-t", "-i"], input: mail.bytes, timeLimit: time)
            return nil
        } catch {
            return "\(program): \(error)"
        }
    }
}
