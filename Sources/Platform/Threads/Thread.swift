import CSystem
import Glibc

/// A thread for blocking work: the pool of the concurrency runtime has only one thread per core.
package struct Thread: Sendable {
    private let handle: pthread_t

    private final class Body: Sendable {
        let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) {
            self.call = call
        }
    }

    /// It must be joined. The name, in `ps` and debuggers, has at most 15 bytes; nil for that of the starting thread.
    package init(
        name: String? = nil, blocksSignals: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        handle = try Self.create(nil, name, blocksSignals, body)
    }

    /// Never joined.
    package static func start(name: String? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        _ = try create(&attributes, name, false, body)
    }

    package func join() {
        pthread_join(handle, nil)
    }

    private static func create(
        _ attributes: UnsafePointer<pthread_attr_t>?, _ name: String?, _ blocksSignals: Bool,
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) -> pthread_t {
        var before = sigset_t()
        if blocksSignals {
            // A new thread inherits the mask of blocked signals.
            var everything = sigset_t()
            sigfillset(&everything)
            // A crash on a thread that blocks its signal ends the process without a report.
            for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] { sigdelset(&everything, number) }
            pthread_sigmask(SIG_BLOCK, &everything, &before)
        }
        defer { if blocksSignals { pthread_sigmask(SIG_SETMASK, &before, nil) } }
        // C passes one pointer to the new thread, which owns the reference.
        let context = Unmanaged.passRetained(
            Body {
                if let name { sooke_name_thread(name) }
                body()
            })
        var thread = pthread_t()
        let code = pthread_create(
            &thread, attributes,
            { context in
                sooke_call_with_signal_stack(
                    { $0.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call() } }, context)
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw SystemError(code: code, call: "pthread_create")
        }
        return thread
    }
}

extension Thread {
    package static var current: UInt { pthread_self() }

    /// For the disk too.
    package static func lowerPriority() {
        sooke_lower_priority()
    }

    /// A signal may end it early.
    package static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
