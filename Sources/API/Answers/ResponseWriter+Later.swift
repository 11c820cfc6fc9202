import HTTP

extension ResponseWriter {
    /// Answers with what some work comes to, without holding up the event loop meanwhile. The work is told how to find
    /// out whether its client has gone.
    consuming func send(_ work: @escaping @Sendable (_ isAbandoned: @escaping @Sendable () -> Bool) async -> Response) {
        let answer = deferred()
        Task { answer.send(await work { answer.isAbandoned }) }
    }
}
