import Testing

@testable import sooke

@Suite struct StatusCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("", to: "manifest.json")
    }

    private static let report = #"""
        {"version":"0.1.0","store":"15d3","started_at":"2026-11-24T08:00:01.5Z","uptime_seconds":3725,"connections":1,\#
        "resident_bytes":85400000,"feed":{"subscribers":2,"lag_commits":3,"displaced":0},"sequence":1200,\#
        "position":"1200.8f3c5a7790d1e2b4","changed_at":"2026-11-24T09:01:00.123456Z",\#
        "records":{"categories":10,"event_types":1,"users":5,"businesses":1048,"events":36},"log_bytes":77394,\#
        "segments":3,"snapshot_bytes":83794,"snapshot_at":"2026-11-24T08:00:02Z","history_since":"2026-10-25T00:00:00Z",\#
        "history_begins_by":"days","history_bytes":1200,"history_bytes_limit":5000000000,"commits_since_snapshot":1,\#
        "backup_at":"2026-11-24T08:59:00Z","backup_failed_at":"2026-11-24T09:00:00Z","backup_error":"full",\#
        "zone_data":"2025b","findings":[{"name":"changes","state":"fine","text":"They are stored.","advice":null,\#
        "command":null},{"name":"zone_data","state":"broken","text":"Old\u001b.","advice":"Do this:","command":"x -y"}]}
        """#

    private func run(_ options: [String], report: String) throws -> String {
        let server = try TinyServer(
            at: "\(folder.path)/admin.sock",
            response: "HTTP/1.1 200 OK\r\nContent-Length: \(report.utf8.count)\r\n\r\n" + report)
        let captured = try CapturedConsole()
        #expect(Program.sooke.run(["status", "--data", folder.path] + options, on: captured.console) == .success)
        #expect(server.receivedRequest().hasPrefix("GET /api/v1/admin/status HTTP/1.1\r\n"))
        return try captured.outputText()
    }

    @Test func printsAPageForPeople() throws {
        #expect(
            try run([], report: Self.report) == """
                \(folder.path): a town of sooke 0.1.0
                  records      1,048 businesses, 36 events, 10 categories, 1 event type, 5 users
                  last change  2026-11-24 09:01:00 UTC, commit 1200, position 1200.8f3c5a7790d1e2b4
                  server       runs since 2026-11-24 08:00:01 UTC (1:02:05), 1 connection, 85 MB of memory
                  live feed    2 clients, the slowest 3 commits behind
                  log          77 kB in 3 segments
                  snapshot     2026-11-24 08:00:02 UTC, 84 kB; 1 commit since
                  changes      They are stored.
                  zone data    broken: Old\\u{1b}.
                               Do this:
                                 x -y

                """)
    }

    @Test(arguments: [("null", "3.0 MB"), ("64000000", "3.0 MB of at most 64 MB")])
    func saysWhatCalendarsTook(limit: String, text: String) throws {
        let report = #"{"log_bytes":90000000,"segments":2,"calendar_log_bytes":3000000,"#
        let page = try run([], report: report + #""calendar_log_bytes_limit":\#(limit)}"#)
        #expect(page.contains("  log          90 MB in 2 segments; calendars took \(text) in 30 days\n"), "\(page)")
    }

    @Test func printsTheReportForPrograms() throws {
        #expect(try run(["--format", "json"], report: Self.report) == Self.report + "\n")
    }

    @Test func needsNoMembers() throws {
        #expect(
            try run([], report: #"{"started_at":null,"feed":null,"changed_at":null,"problem":null,"new":[1]}"#) == """
                \(folder.path): a town of sooke \("")
                  records      none
                  last change  none yet
                  server       none runs on this folder
                  log          0 B in 0 segments
                  snapshot     none yet

                """)
    }
}
