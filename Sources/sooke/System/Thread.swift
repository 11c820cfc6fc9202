#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread of our own, for work that waits: the pool of the concurrency runtime has only one thread a core.
enum Thread {
    /// Starts a thread that ends with its body. Nobody waits for it.
    static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        // The body goes through C as a pointer; the new thread takes the reference over.
        let box = Unmanaged.passRetained(Box(body))
        let code = pthread_create(
            &thread, &attributes,
            { pointer in
                #if canImport(Darwin)
                    Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
                #else
                    if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body() }
                #endif
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemError(code: code)
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// Ends the process without running anything more, as a failed disk demands.
func exitAtOnce(_ code: ExitCode) -> Never {
    _exit(code.rawValue)
}
