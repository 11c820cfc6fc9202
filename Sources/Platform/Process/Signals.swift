import CSystem
import Glibc

/// The signals that stop a server: SIGTERM, SIGINT and SIGHUP, unless SIGHUP was ignored (as under `nohup`).
///
/// They are blocked in every thread and received by one that waits, so that no code runs inside a signal handler. So
/// `prepare…` must be called before the first thread starts: threads inherit the mask.
package struct Signals: Sendable {
    private let numbers: [Int32]

    package static func prepare(hangUpStops: Bool = true) -> Signals {
        if !hangUpStops { signal(SIGHUP, SIG_IGN) }
        return block([SIGTERM, SIGINT] + (isIgnored(SIGHUP) ? [] : [SIGHUP]))
    }

    /// For a program that fills the screen of its terminal: also what makes it draw the screen again.
    package static func prepareForScreen() -> Signals {
        block([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP])
    }

    /// Makes a write beyond `ulimit -f` an error, as on a full disk, instead of the end of the process.
    package static func ignoreFileSizeLimit() {
        sooke_ignore_file_size_signal()
    }

    private static func block(_ numbers: [Int32]) -> Signals {
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals(numbers: numbers)
        var set = signals.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        return signals
    }

    package enum ScreenEvent: Sendable {
        case stop
        case redraw
        /// It restores the terminal, and stops until it is continued.
        case suspend
    }

    package func forEach(_ body: @escaping @Sendable (ScreenEvent) -> Void) throws(SystemError) {
        try Thread.start { [self] in
            while true {
                switch wait() {
                case SIGWINCH, SIGCONT: body(.redraw)
                case SIGTSTP: body(.suspend)
                default: body(.stop)
                }
            }
        }
    }

    /// Stops all processes of the group, as ^Z does by default.
    package static func suspend() {
        kill(0, SIGSTOP)
    }

    /// Calls `stop` on a new thread when the first signal arrives. A later one ends the process; within a second it
    /// counts as the same, since `timeout` signals the process and then its group.
    package func onFirst(_ stop: @escaping @Sendable () -> Void) throws(SystemError) {
        try Thread.start { [self] in
            wait()
            let start = Clock.monotonic
            stop()
            while true {
                let number = wait()
                if Clock.monotonic - start > 1_000_000_000 { Self.die(of: number) }
            }
        }
    }

    /// After the first signal, the process ends with its default action.
    package func dieAfter(_ cleanUp: @escaping @Sendable () -> Void) throws(SystemError) {
        try Thread.start { [self] in
            let number = wait()
            cleanUp()
            Self.die(of: number)
        }
    }

    private var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    @discardableResult
    private func wait() -> Int32 {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let handler = action.__sigaction_handler.sa_handler
        // C functions are compared by their address; SIG_IGN has the address 1.
        return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
    }

    private static func die(of number: Int32) {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
