import HTTP
import SookeModel
import Store
import Testing

@testable import API

/// Notices come and go by the clock, and close businesses meanwhile. It is Saturday 21 November 2026, 01:30.
@Suite struct NoticeRoutesTests {
    private static let path = "/api/v1/notices"

    private static func titles(_ town: TestTown) async throws -> [String] {
        let text = try await town.send(.get, path).text
        return text.components(separatedBy: #""title":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    private static func hours(_ town: TestTown, _ slug: String = "zeds") -> [SpecialHours] {
        town.store.current.town.businesses[Slug(slug)]?.value.specialHours ?? []
    }

    /// Runs what the server does at their times, and waits for its commits.
    private static func settle(_ town: TestTown) async throws {
        town.service.settleNotices()
        _ = try await town.store.write(by: .local) { _ in }
    }

    @Test func theyComeAndGoByTheClock() async throws {
        let town = try await TestTown.withAccounts()
        let body =
            #"{"title":"Snow","severity":"warning","from":"2026-11-21T09:40:00Z","until":"2026-11-21T09:50:00Z"}"#
        let made = try await town.ask(.post, Self.path, body: body)
        #expect(made.status == .created && made.text.contains(#""state":"scheduled""#), "\(made.text)")
        let danger = #"{"title":"Flood","severity":"danger","until":"2026-11-21T10:00:00Z"}"#
        #expect(try await town.ask(.post, Self.path, body: danger).text.contains(#""state":"current""#))
        let table = [(0, ["Flood"]), (601, ["Flood", "Snow"]), (600, ["Flood"]), (600, [])]
        for (seconds, titles) in table {
            town.clock.advance(bySeconds: seconds)
            try await Self.settle(town)
            #expect(try await Self.titles(town) == titles)
        }
        #expect(town.store.current.town.notices.inOrderOfID.allSatisfy { $0.state == .over })
        #expect(try await town.send(.get, Self.path + "/snow").status == .notFound)
        let more = try await town.ask(.patch, Self.path + "/snow", body: #"{"until":null}"#)
        #expect(more.text.contains(#""state":"current""#), "\(more.text)")
    }

    /// By the server itself, which sleeps until the time of the next one.
    @Test func theServerStoresThatTheyGo() async throws {
        let town = try await TestTown.withAccounts()
        try town.service.followNotices()
        for isReadOnly in [false, true] {
            let until = "2026-11-21T09:30:0\(isReadOnly ? 4 : 2)Z"
            _ = try await town.ask(.post, Self.path, body: #"{"title":"Snow","until":"\#(until)"}"#)
            if isReadOnly { try await town.store.makeReadOnly(reason: nil) }
            town.clock.advance(bySeconds: 2)
            if isReadOnly {
                try await Task.sleep(for: .seconds(2.1))
                try await town.store.endReadOnly()
            }
            for _ in 0..<300 where town.store.current.town.notices.inOrderOfID.contains(where: { $0.state != .over }) {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(town.store.current.town.notices.inOrderOfID.allSatisfy { $0.state == .over })
        }
    }

    /// A read-only town hides what is over, and stores it later.
    @Test func aReadOnlyTownHidesThem() async throws {
        let town = try await TestTown.withAccounts()
        _ = try await town.ask(.post, Self.path, body: #"{"title":"Snow","until":"2026-11-21T09:40:00Z"}"#)
        try await town.store.makeReadOnly(reason: nil)
        #expect(try await Self.titles(town) == ["Snow"])
        town.clock.advance(bySeconds: 600)
        town.service.settleNotices()
        #expect(try await Self.titles(town) == [])
        #expect(town.store.current.town.notices[1]?.state == .current)
        try await town.store.endReadOnly()
        try await Self.settle(town)
        #expect(town.store.current.town.notices[1]?.state == .over)
    }

    /// The hours of a place are afterwards what they were, byte for byte, with what was changed meanwhile.
    @Test(arguments: ["over", "deleted", "undone", "reopened"]) func itClosesAndOpensAgain(by end: String) async throws
    {
        let town = try await TestTown.withAccounts()
        let zeds = "/api/v1/businesses/zeds"
        let holiday =
            #"{"from":"2026-11-21","to":"2026-11-22","open_time":"10:00","close_time":"11:00","is_closed":false}"#
        _ = try await town.ask(.patch, zeds, body: #"{"special_hours":[\#(holiday)]}"#)
        let before = try #require(town.store.current.town.businesses[Slug("zeds")]?.value.written)
        // Until 9 on Sunday, when it does not open before.
        let body = #"{"title":"Snow","until":"2026-11-22T17:00:00Z","businesses":["zeds"],"closes":true}"#
        #expect(try await town.ask(.post, Self.path, body: body).status == .created)
        town.clock.advance(bySeconds: 10 * 3600)
        #expect(Self.hours(town).last?.notice == 1 && Self.hours(town).last?.reason == "Snow")
        let closed = try await town.send(.get, zeds).text
        #expect(closed.contains(#""open_state":{"status":"closed""#) && closed.contains(#""comment":"Snow""#))
        let other = holiday.replacing("2026-11-2", with: "2026-12-0").dropLast() + #","reason":"Fair"}"#
        if end == "over" {
            let added = try await town.ask(.post, zeds + "/special-hours", body: String(other))
            #expect(added.status == .created, "\(added.text)")
        }
        switch end {
        case "over":
            town.clock.advance(bySeconds: 86_400)
            try await Self.settle(town)
        case "reopened": _ = try await town.ask(.patch, Self.path + "/snow", body: #"{"closes":false}"#)
        case "deleted": #expect(try await town.ask(.delete, Self.path + "/snow").status == .noContent)
        default:
            let history = try await town.ask(.get, "/api/v1/history?of=notices/snow").text
            let digest = try #require(history.firstMatch(of: /"sequence":(\d+).*?"digest":"([0-9a-f]+)"/))
            let undone = try await town.send(
                .post, "/api/v1/history/\(digest.1)/undo", as: .folder, [("If-Match", "\"\(digest.2)\"")])
            #expect(undone.status == .ok, "\(undone.text)")
        }
        let after = try #require(town.store.current.town.businesses[Slug("zeds")]?.value)
        #expect(after.specialHours.count == (end == "over" ? 2 : 1))
        var same = after
        if end == "over" { same.specialHours.removeLast() }
        #expect(same.written == before)
    }

    @Test func itIsCheckedAsOthersAre() async throws {
        let town = try await TestTown.withAccounts()
        let table = [
            (#"{"title":""}"#, "title"), (#"{"title":"A","until":"2001-01-01T00:00:00Z"}"#, "must not lie before from"),
            (#"{"title":"A","businesses":["none"]}"#, "there is no business"),
            (#"{"title":"A","closes":true}"#, "closes"),
            (#"{"title":"A","severity":"bad"}"#, "information, warning, danger"),
            (#"{"title":"A","state":"over"}"#, "cannot be given"),
        ]
        for (body, words) in table {
            let refused = try await town.ask(.post, Self.path, body: body)
            #expect(refused.status == .unprocessableContent && refused.text.contains(words), "\(refused.text)")
        }
        #expect(try await town.send(.post, Self.path, body: #"{"title":"A"}"#).status == .unauthorized)
    }

    /// One without an end is asked about each week, a danger on its last day.
    @Test func theyAskIfTheyAreStillRight() async throws {
        let town = try await TestTown.withAccounts()
        let day = 86_400
        for body in [
            #"{"title":"Road"}"#, #"{"title":"Flood","severity":"danger","until":"2026-11-24T09:30:00Z"}"#,
            #"{"title":"Water","until":"2026-11-24T09:30:00Z"}"#,
        ] { _ = try await town.ask(.post, Self.path, body: body) }
        for (days, names) in [(0, []), (2, ["Flood"]), (2, []), (3, ["Road"])] {
            town.clock.advance(bySeconds: days * day)
            try await Self.settle(town)
            let asked = town.service.noticesToConfirm(for: .owner, in: town.store.current.town).map(\.title)
            #expect(asked == names)
        }
    }
}
