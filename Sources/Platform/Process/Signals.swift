import CSystem
import Glibc

/// The signals that stop a server: SIGTERM and SIGINT, and SIGHUP unless it was ignored when the process began (as
/// under `nohup`).
///
/// They are blocked in every thread and received by one that waits for them, so that no code runs inside a signal
/// handler.
package struct Signals: Sendable {
    private let numbers: [Int32]

    /// Blocks the signals, and turns SIGPIPE into an error of the write to a closed connection.
    ///
    /// - Parameter hangUpStops: whether SIGHUP is one of them, as when the terminal is closed; else it is ignored.
    ///
    /// It must be called before the first thread starts: threads inherit the mask of blocked signals.
    package static func prepare(hangUpStops: Bool = true) -> Signals {
        if !hangUpStops { signal(SIGHUP, SIG_IGN) }
        return block([SIGTERM, SIGINT] + (isIgnored(SIGHUP) ? [] : [SIGHUP]))
    }

    /// Blocks the signals of a program that fills the screen of its terminal: those that stop it, and those after which
    /// it must draw the screen again.
    ///
    /// It must be called before the first thread starts: threads inherit the mask of blocked signals.
    package static func prepareForScreen() -> Signals {
        block([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP])
    }

    /// Makes a write beyond the size limit of files (`ulimit -f`) an error, as on a full disk, instead of the end of
    /// the process.
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

    /// What a program does that fills the screen of its terminal.
    package enum ScreenEvent: Sendable {
        /// It ends.
        case stop
        /// It draws the screen again, whose size may have changed.
        case redraw
        /// It restores the terminal, and stops until it is continued.
        case suspend
    }

    /// Calls a function on a new thread for each signal.
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

    /// Stops all processes of the group, as ^Z does for a program that does nothing about it.
    package static func suspend() {
        kill(0, SIGSTOP)
    }

    /// Calls `stop` on a new thread when the first of the signals arrives. A later one ends the process at once, with
    /// its default action; within a second it counts as the same, since `timeout` signals the process and then its
    /// group.
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

    /// Runs some work when the first of the signals arrives, then ends the process with the default action.
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
