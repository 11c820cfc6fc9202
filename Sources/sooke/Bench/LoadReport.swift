import JSON

/// What a load came to, for people and for programs.
struct LoadReport {
    let tally: LoadTally
    /// The nanoseconds in which requests were started.
    let span: Int

    init(_ run: LoadRun) {
        (tally, span) = (run.tally, run.schedule.span)
    }

    private var seconds: Double { Double(span) / 1e9 }

    /// Answers a second while requests were started.
    private var rate: Double { span == 0 ? 0 : Double(tally.answersInTime) / seconds }

    private static let percentiles: [(name: String, key: StaticString, percent: Double)] = [
        ("p50", "p50", 50), ("p90", "p90", 90), ("p99", "p99", 99), ("p99.9", "p99_9", 99.9),
    ]

    /// What is wrong with the outcome, as the end of a sentence; nil when every request was answered below 500.
    var problem: String? {
        var parts: [String] = []
        if tally.serverErrors > 0 {
            parts.append("\(HumanNumber.grouped(tally.serverErrors)) answers were 500 or above")
        }
        if tally.failures > 0 { parts.append("\(HumanNumber.grouped(tally.failures)) requests or connections failed") }
        if tally.answers == 0 { parts.append("nothing was answered") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    // MARK: For people

    /// A line for each subject.
    var text: String {
        let perSecond = HumanNumber.grouped(Int(rate.rounded()))
        let transfer = span == 0 ? 0 : Int(Double(tally.bytes) / seconds)
        var lines = [
            "requests    \(HumanNumber.grouped(tally.answers)) in \(HumanNumber.duration(.nanoseconds(span))), \(perSecond) a second",
            "transfer    \(HumanNumber.bytes(tally.bytes)), \(HumanNumber.bytes(transfer)) a second",
            "statuses    \(Self.list(tally.statuses.map { ("\($0.status)", $0.count) }))",
            "failures    \(Self.list(failures.filter { $0.count > 0 }))",
            "latency     \(latencies.map { "\($0.name) \(Self.duration($0.nanoseconds))" }.joined(separator: ", "))",
        ]
        if tally.unanswered > 0 { lines.append("unanswered  \(HumanNumber.grouped(tally.unanswered))") }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func list(_ counts: [(name: String, count: Int)]) -> String {
        if counts.isEmpty { return "none" }
        return counts.map { "\($0.name): \(HumanNumber.grouped($0.count))" }.joined(separator: ", ")
    }

    /// In milliseconds, with three digits that count: `0.41 ms`, `12.3 ms`, `1,240 ms`.
    private static func duration(_ nanoseconds: Int) -> String {
        let milliseconds = Double(nanoseconds) / 1e6
        if milliseconds >= 100 { return "\(HumanNumber.grouped(Int(milliseconds.rounded()))) ms" }
        let scale = milliseconds < 10 ? 100.0 : 10.0
        return "\((milliseconds * scale).rounded() / scale) ms"
    }

    // MARK: For programs

    /// One JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("requests")
        writer.int(tally.answers)
        writer.key("seconds")
        writer.double(Self.rounded(seconds, digits: 3))
        writer.key("rate")
        writer.double(Self.rounded(rate, digits: 1))
        writer.key("bytes")
        writer.int(tally.bytes)
        writer.key("statuses")
        Self.write(tally.statuses.map { ("\($0.status)", $0.count) }, to: &writer)
        writer.key("failures")
        Self.write(failures, to: &writer)
        writer.key("latency_ms")
        writer.beginObject()
        writer.key("mean")
        writer.double(Self.rounded(tally.latency.mean / 1e6, digits: 3))
        for latency in latencies {
            writer.key(latency.key)
            writer.double(Self.rounded(Double(latency.nanoseconds) / 1e6, digits: 3))
        }
        writer.endObject()
        writer.key("unanswered")
        writer.int(tally.unanswered)
        writer.endObject()
        writer.breakLine()
        return writer.bytes
    }

    private static func write(_ counts: [(name: String, count: Int)], to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, count) in counts {
            writer.key(name)
            writer.int(count)
        }
        writer.endObject()
    }

    private static func rounded(_ number: Double, digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { power, _ in power * 10 }
        return (number * scale).rounded() / scale
    }

    // MARK: Both

    private var failures: [(name: String, count: Int)] {
        LoadFailure.allCases.map { ($0.rawValue, tally.count(of: $0)) }
    }

    private var latencies: [(name: String, key: StaticString, nanoseconds: Int)] {
        Self.percentiles.map { ($0.name, $0.key, tally.latency.percentile($0.percent)) }
            + [("max", "max", tally.latency.max)]
    }
}
