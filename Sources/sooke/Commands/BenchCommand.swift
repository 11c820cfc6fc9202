import Synchronization

extension Command {
    /// `sooke bench`
    static let bench = Command(
        name: "bench",
        summary: "Ask a server as fast as it answers, or so often a second",
        discussion: [
            """
            Each connection asks again as soon as it is answered. With --rate, requests are due at fixed moments \
            instead, and the time of each counts from when it was due, also when every connection was busy then: that \
            is what people wait. At the end, requests under way are waited for; what was due and never started is \
            told as unanswered.
            """,
            """
            In the address, in --targets and in --body, {A..B} is a random whole number from A to B, and {n} the \
            number of the request. A token in the variable SOOKE_TOKEN is sent along; a command line would show it to \
            everybody on the machine.
            """,
            "Control-C ends it early; the figures are printed all the same.",
        ],
        parameters: BenchOptions.descriptions,
        examples: [
            Example(
                "sooke bench --seconds 5 http://127.0.0.1:8080/api/v1/businesses?page={1..2}",
                "Shows how many pages of businesses the server can answer."),
            Example(
                "sooke bench --rate 100 --connections 20 http://127.0.0.1:8080/api/v1/events",
                "Shows how long people wait when a hundred ask each second."),
        ],
        exitCodes: [.success, .badData, .noInput, .unavailable, .inputOutput, .notPermitted]
    ) { invocation throws(CommandError) in
        let signals = Signals.prepare()
        let (run, address, connections) = try BenchOptions.load(invocation)
        let console = invocation.console
        do {
            // A port on which nobody listens is a mistake, not a measurement.
            try ClientSocket.probe(address.socket)
        } catch {
            throw CommandError(.unavailable, "nobody answers at \(address.authority): \(error)")
        }
        let stopped = StopFlag()
        do {
            try signals.onFirst { stopped.raise() }
        } catch {
            throw CommandError(.inputOutput, "cannot wait for signals: \(error)")
        }
        let generator = try LoadGenerator(run, connections: connections, to: address.socket)
        let progress = SharedProgress("asking \(address.authority)", unit: .things("answers"), on: console)
        let total = run.schedule.rate.map { $0 * run.schedule.seconds }
        let report = LoadReport(
            generator.measure(stops: { stopped.isRaised }) { progress.update(done: $0.answers, of: total) })
        progress.finish()
        switch try invocation[BenchOptions.format] {
        case .text: try console.print(report.text)
        case .json: try console.print(report.json)
        }
        if let problem = report.problem { throw CommandError(.unavailable, problem) }
        return .success
    }
}

/// Tells from another thread that it is enough.
private final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}
