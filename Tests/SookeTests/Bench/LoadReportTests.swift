import Testing

@testable import sooke

@Suite struct LoadReportTests {
    /// Two connections that ask for a second: 1,500 answers after 2 ms, 3 after 80 ms, one of which is late, and a
    /// failure.
    private static func run(statuses: [Int] = [200, 503], failures: [LoadFailure] = [.reset]) throws -> LoadRun {
        var run = LoadRun(
            source: RequestSource(
                method: .get, authority: "x", targets: [try RequestTemplate("/")], body: nil, fields: [], seed: 1),
            schedule: LoadSchedule(rate: nil, seconds: 1), connections: 1, timeout: .max)
        run.opening(0, now: 0)
        run.opened(0, now: 0)
        run.begin(now: 0)
        func ask(_ status: Int, at moment: Int, for duration: Int) {
            _ = run.start(now: moment)
            let text = "HTTP/1.1 \(status) x\r\nContent-Length: 0\r\n\r\n"
            _ = run.received(0, Array(text.utf8).span, now: moment + duration)
        }
        for number in 0..<1_500 { ask(statuses[number % 5 == 0 ? statuses.count - 1 : 0], at: number, for: 2_000_000) }
        for moment in [1, 2, 999_000_000] { ask(statuses[0], at: moment, for: 80_000_000) }
        for failure in failures {
            _ = run.start(now: 999_000_001)
            run.fail(0, failure, now: 999_000_002)
        }
        run.finish(now: 1_100_000_000)
        return run
    }

    @Test func isForReading() throws {
        #expect(
            LoadReport(try Self.run()).text == """
                requests    1,503 in 1.0 s, 1,502 a second
                transfer    56 kB, 56 kB a second
                statuses    200: 1,203, 503: 300
                failures    reset: 1
                latency     p50 2.01 ms, p90 2.01 ms, p99 2.01 ms, p99.9 80.0 ms, max 80.0 ms

                """)
    }

    @Test func isForPrograms() throws {
        let text = String(decoding: LoadReport(try Self.run()).json, as: UTF8.self)
        #expect(
            text == """
                {"requests":1503,"seconds":1,"rate":1502,"bytes":55611,"statuses":{"200":1203,"503":300},\
                "failures":{"refused":0,"reset":1,"closed":0,"timeout":0,"malformed":0,"local":0},\
                "latency_ms":{"mean":2.156,"p50":2.007,"p90":2.007,"p99":2.007,"p99_9":80,"max":80},"unanswered":0}

                """)
    }

    @Test(arguments: [
        ([200, 404], [], nil),
        ([200, 503], [], "300 answers were 500 or above"),
        ([200], [LoadFailure.timeout], "1 requests or connections failed"),
        ([200, 500], [.reset], "300 answers were 500 or above, 1 requests or connections failed"),
    ])
    func namesWhatIsWrong(statuses: [Int], failures: [LoadFailure], problem: String?) throws {
        #expect(LoadReport(try Self.run(statuses: statuses, failures: failures)).problem == problem)
    }

    @Test func nothingAnsweredIsAProblem() throws {
        let run = LoadRun(
            source: RequestSource(
                method: .get, authority: "x", targets: [try RequestTemplate("/")], body: nil, fields: [], seed: 1),
            schedule: LoadSchedule(rate: nil, seconds: 1), connections: 1, timeout: .max)
        #expect(LoadReport(run).problem == "nothing was answered")
        #expect(LoadReport(run).text.hasPrefix("requests    0 in 0.0 s, 0 a second\n"))
    }
}
