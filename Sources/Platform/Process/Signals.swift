import Glibc

/// The signals that stop a server: SIGTERM and SIGINT, and SIGHUP unless it was ignored when the process began
/// (as `nohup` makes it).
///
/// They are blocked in every thread and taken by one that waits for them, so that no code of ours ever runs inside a
/// signal handler.
package struct Signals: Sendable {
    private let numbers: [Int32]

    /// Blocks the signals, and lets a write to a closed connection be an error instead of SIGPIPE.
    ///
    /// To be called before the first thread starts: threads take over what is blocked where they are started.
    package static func prepare() -> Signals {
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals(numbers: [SIGTERM, SIGINT] + (isIgnored(SIGHUP) ? [] : [SIGHUP]))
        var set = signals.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        return signals
    }

    /// Calls `stop` from a thread of its own when the first of the signals comes. The second one ends the process at
    /// once, as if nothing were set up for it.
    package func onFirst(_ stop: @escaping @Sendable () -> Void) throws(SystemError) {
        try Thread.start { [self] in
            wait()
            stop()
            Self.die(of: wait())
        }
    }

    /// Lets the first of the signals end the process as it would have without `prepare`, after some work.
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

    /// The signal that came.
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
        // C functions are compared by their address; ignoring has the address 1.
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
