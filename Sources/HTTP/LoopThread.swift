#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread of its own for an event loop. Signals go to the program's other threads.
struct LoopThread: Sendable {
    private let thread: pthread_t

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread that runs `body` once.
    init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // Carried over as a retained pointer, the only thing that pthread_create carries.
        let work = Unmanaged.passRetained(Work(body))
        var everything = sigset_t()
        var before = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_BLOCK, &everything, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if os(Linux)
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { Self.main($0) }, work.toOpaque())
            self.thread = thread
        #else
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { Self.main($0) }, work.toOpaque())
            guard let thread else { throw SystemError(call: "pthread_create", code: code) }
            self.thread = thread
        #endif
        if code != 0 {
            work.release()
            throw SystemError(call: "pthread_create", code: code)
        }
    }

    /// Waits for the end of the thread.
    func join() {
        pthread_join(thread, nil)
    }

    private static func main(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        return nil
    }
}
