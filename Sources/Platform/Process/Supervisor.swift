import CSystem
import Glibc

/// Runs the rest of the program in a child, so that the parent can clean up after any end of it, SIGKILL included.
package enum Supervisor {
    /// Returns in the child; the parent cleans up when it ends, and ends in the same way. When the parent ends first,
    /// the child gets SIGTERM.
    ///
    /// Call it before the first thread starts. The parent writes a crash report in the end, not over the full screen.
    package static func begin(_ program: String, cleanUp: () -> Void) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in forwarded + [SIGCHLD] { sigaddset(&set, number) }
        var former = sigset_t()
        sigprocmask(SIG_BLOCK, &set, &former)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last }
        let child = sooke_fork()
        guard child >= 0 else { throw .last }
        if child == 0 {
            sooke_end_with_parent()
            CrashReport.begin(of: program, to: FileDescriptor(number: ends[1]))
            signal(SIGQUIT, SIG_DFL)
            sigprocmask(SIG_SETMASK, &former, nil)
            return
        }
        close(ends[1])
        let status = supervise(child, &set)
        cleanUp()
        let number = status & 0x7F
        guard number != 0 else { exit(status >> 8 & 0xFF) }
        if let report = try? FileDescriptor(number: ends[0]).read(upTo: 8192) {
            try? FileDescriptor.standardError.write(report)
        }
        sigprocmask(SIG_SETMASK, &former, nil)
        signal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }

    /// Ends this process, by SIGTERM, when the thread that started it does.
    ///
    /// - Returns: false where that process is gone already.
    package static func endWithParent(_ process: Int32) -> Bool {
        sooke_end_with_parent()
        return getppid() == process
    }

    private static let forwarded = [SIGTERM, SIGINT, SIGHUP, SIGQUIT]

    /// The status of the child, as waitpid(2) has it.
    private static func supervise(_ child: pid_t, _ set: inout sigset_t) -> Int32 {
        var status: Int32 = 0
        while true {
            if waitpid(child, &status, WNOHANG) == child { return status }
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if number != SIGCHLD { kill(child, number) }
        }
    }
}

/// The signal, the build, the request and the addresses of the code, before the default action of the signal.
package enum CrashReport {
    package static func begin(
        of program: String, to output: FileDescriptor = .standardError, inFile path: String = ""
    ) {
        sooke_report_crashes(program, output.number, path)
    }

    /// Of the calling thread or task, at most 255 bytes. A pool thread has the one it began last, even in other tasks.
    package static var request: [UInt8] {
        get { TaskWork.current?.request ?? Array(String(cString: sooke_request()).utf8) }
        set { sooke_set_request(newValue, newValue.count) }
    }
}

/// The service manager that started this process, such as systemd (sd_notify(3)).
package struct ServiceManager: Sendable {
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// The path of the socket; an abstract one begins with `@`.
    private static let variable = "NOTIFY_SOCKET"

    private let path: String

    package init?(_ environment: Environment) {
        guard let path = environment[Self.variable], !path.isEmpty else { return nil }
        self.path = path
    }

    /// Never waits: a manager that does not read its socket must not stop the server.
    package func notify(_ state: State) throws(SystemError) {
        guard
            let address = path.hasPrefix("@")
                ? SocketAddress(abstractName: path.dropFirst()) : SocketAddress(path: path)
        else { throw SystemError(code: ENAMETOOLONG) }
        let kind = Socket.datagram | CInt(SOCK_CLOEXEC.rawValue)
        let owned = OwnedDescriptor(try SystemError.retryingInterrupts { socket(AF_UNIX, kind, 0) })
        let message = Array(state.rawValue.utf8)
        try SystemError.retryingInterrupts {
            address.withPointer {
                sendto(owned.descriptor.number, message, message.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT), $0, $1)
            }
        }
    }
}
