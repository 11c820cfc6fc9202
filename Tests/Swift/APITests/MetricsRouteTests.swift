import Bytes
import HTTP
import Service
import SookeModel
import Testing

@testable import API
@testable import Dispatcher

/// The metrics for Prometheus.
@Suite struct MetricsRouteTests {
    @Test func theyAreText() async throws {
        let town = try await TestTown.withAccounts()
        let response = try await town.ask(.get, "/metrics")
        #expect(response.headers.first("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
            "sooke_records{kind=\"category\"} 2", "sooke_records{kind=\"user\"} 5", "sooke_sequence 1",
            "sooke_commits_total 1", "sooke_fsync_duration_seconds_count 1", "sooke_http_connections 3",
            "process_resident_memory_bytes 1048576", "process_start_time_seconds 1795253400",
            "sooke_problem{of=\"storage\"} 0", "sooke_snapshot_bytes 0", "sooke_feed_subscribers 0",
            "sooke_feed_lag_commits 0", "sooke_feed_displaced_total 0", "sooke_feed_resets_total 0",
            "sooke_feed_revocations_total 0", "sooke_feed_slow_total 0", "sooke_disk_free_bytes 7000",
            #"sooke_build_info{version="1.2.3",commit="53472812c965"} 1"#,
            #"sooke_zone_data_info{version="2025b"} 1"#, "sooke_zone_data_outdated 0",
        ] { #expect(response.text.contains("\n\(line)\n"), "\(line)") }
    }

    @Test func calendarsAreCounted() async throws {
        let town = try await TestTown.peopled()
        try await town.service.receive(FetchedAnswer(.failed), for: 1) { _, _, _, _ in nil }
        let text = try await town.ask(.get, "/metrics").text
        for line in [
            #"sooke_calendars{state="good"} 0"#, #"sooke_calendars{state="failing"} 1"#,
            #"sooke_calendars{state="paused"} 0"#, #"sooke_calendar_fetches_total{outcome="good"} 0"#,
            #"sooke_calendar_fetches_total{outcome="unchanged"} 0"#,
            #"sooke_calendar_fetches_total{outcome="failed"} 1"#, "sooke_calendar_events 1",
            "sooke_calendar_log_bytes 0",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
    }

    @Test func oldZoneDataAreCounted() async throws {
        let town = try await TestTown.withAccounts().reopened(zoneData: "2024b")
        for (target, line) in [
            ("/metrics", "\nsooke_zone_data_outdated 1\n"), ("/api/v1/admin/status", #""zone_data":"2024b""#),
            ("/api/v1/admin/status", #""zone_data_warning":"the zone data 2024b are more than a year old"#),
        ] { #expect(try await town.ask(.get, target).text.contains(line), "\(target)") }
    }

    @Test func requestsAreCountedByTheirRoute() async throws {
        let town = try await TestTown.withAccounts()
        let targets = ["/api/v1/businesses/zeds", "/api/v1/businesses/anchor", "/api/v1/businesses/nope", "/nope"]
        for target in targets {
            town.record(try await town.send(.get, target), duration: 60_000)
        }
        let text = try await town.ask(.get, "/metrics").text
        let detail = #"{method="GET",route="/api/v1/businesses/{slug}""#
        for line in [
            #"sooke_http_requests_total\#(detail),status="200"} 2"#,
            #"sooke_http_requests_total\#(detail),status="404"} 1"#,
            #"sooke_http_requests_total{method="",route="",status="404"} 1"#,
            #"sooke_http_request_duration_seconds_bucket\#(detail),le="0.00005"} 0"#,
            #"sooke_http_request_duration_seconds_bucket\#(detail),le="0.0001"} 3"#,
            #"sooke_http_request_duration_seconds_bucket\#(detail),le="+Inf"} 3"#,
            #"sooke_http_request_duration_seconds_sum\#(detail)} 0.00018"#,
            #"sooke_http_request_duration_seconds_count\#(detail)} 3"#,
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
        #expect(!text.contains("/api/v1/events"))
    }

    @Test func anUnknownStatusIsCounted() {
        let counts = RouteCounts()
        for code in [200, 299, 299] { counts.record(Status(code: code, reason: ""), duration: 1) }
        #expect(counts.responses.map { "\($0.status) \($0.count)" } == ["200 1", "other 2"])
    }

    @Test func aLabelHoldsAnyText() {
        var text = Exposition()
        text.begin("a", .counter, "A.")
        text.sample(-1, [("b", "\\ \" \n"), ("c", "é")])
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                == "# HELP a A.\n# TYPE a counter\na{b=\"\\\\ \\\" \\n\",c=\"é\"} -1\n")
    }
}
