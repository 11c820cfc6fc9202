import HTTP

extension ResponseWriter {
    /// Answers with what some work comes to, without holding up the event loop meanwhile.
    consuming func send(_ work: @escaping @Sendable () async -> Response) {
        let answer = deferred()
        Task { answer.send(await work()) }
    }
}
