import Bytes
import Foundation
import HTTP
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import SookeClient
@testable import sooke_browse

/// The list of the terminal shows as open what the server says is open, wherever the terminal is.
@Suite(.timeLimit(.minutes(20))) struct RecordListTests {
    /// In a process of its own, because it changes the time zone of the process.
    @Test func agreesWithTheServerInAnyZone() async {
        await #expect(processExitsWith: .success) {
            for zone in ["America/Vancouver", "Asia/Kathmandu"] {
                let town = try await TerminalTown(in: zone)
                for terminal in ["UTC", "America/Vancouver", "Asia/Kathmandu", "Pacific/Auckland"] {
                    setenv("TZ", terminal, 1)
                    NSTimeZone.resetSystemTimeZone()
                    try #require(TimeZone.current.identifier == TimeZone(identifier: terminal)?.identifier)
                    try #require(await town.compare(zone: zone) == 100)
                }
            }
        }
    }
}

/// A town with what is hard to say of opening hours, and what its server says at each of 100 times.
private struct TerminalTown {
    /// 20 times of 20 hours from each of these times, which has a night in both zones of a town.
    ///
    /// They are before November 2026: then British Columbia stops to change its clocks, which not every system knows.
    private static let nights = [
        ("2025-11-02T00:00:00Z", "the clocks of the town go back"),
        ("2025-12-24T22:00:00Z", "Christmas Day"),
        ("2026-03-08T00:00:00Z", "the clocks of the town go forward"),
        ("2026-03-28T16:00:00Z", "those of a business in Berlin go forward"),
        ("2026-10-24T16:00:00Z", "and back"),
    ]

    /// The businesses, and how each says when it is open.
    private static let businesses = [
        ("Bakery", #""opening_hours":"Mo-Su 01:30-02:30,03:00-12:00""#),
        ("Bar", #""opening_hours":"24/7","special_hours":[{"from":"2025-12-25","is_closed":true}]"#),
        ("Club", #""hours":[{"day_of_week":6,"open_time":"20:00","close_time":"03:00"}]"#),
        ("Diner", #""opening_hours":"Mo-Su 22:00-06:30; Dec 24-26 off""#),
        ("Ferry", #""time_zone":"America/St_Johns","opening_hours":"Mo-Sa 06:00-22:00""#),
        ("Inn", #""opening_hours":"Mo-Su 08:00-23:00","public_holidays":"ask""#),
        ("Kiosk", #""opening_hours":"Mo-Su 08:00-02:00","public_holidays":"closed""#),
        ("Laundry", #""opening_hours":"24/7""#), ("Lunchroom", #""opening_hours":"Mo-Su 10:00-16:00""#),
        ("Pub", #""opening_hours":"Mo-Su 16:00-01:00; PH off""#),
        ("Shop", #""hours":[{"day_of_week":4,"open_time":"09:30","close_time":"17:00"}]"#),
        ("Studio", #""phone":"250-555-0101""#),
        ("Tavern", #""opening_hours":"Mo-Su 18:00-02:00","public_holidays":"as_usual""#),
        ("Tea Room", #""time_zone":"Europe/Berlin","opening_hours":"Mo-Su 01:30-02:30,08:00-03:00""#),
    ]

    private struct Poll: Decodable {
        let changes: [JSONValue]
    }

    private let clock: TestClock
    /// The records, as the feed sends them.
    private let feed: String
    private let answers: [(now: Timestamp, all: [Business], open: [String])]

    init(in zone: String) async throws {
        let businesses = Self.businesses.enumerated().map { id, business in
            #"{"id":\#(id + 1),"category":"bars","name":"\#(business.0)","address":"1 A","latitude":48,"#
                + #""longitude":-123,\#(business.1)}"#
        }
        let settings = #"[{"id":1,"name":"Sooke","time_zone":"\#(zone)"}]"#
        let dataset = #"{"settings":\#(settings),"categories":[{"id":1,"name":"Bars"}],"businesses":["#
        let town = try await ClientTown(Data((dataset + businesses.joined(separator: ",") + "]}").utf8))
        let poll = try await town.send(.get, "/api/v1/changes").body
        feed = try JSONDecoder().decode(Poll.self, from: Data(poll)).changes.map { change in
            let text = String(decoding: try JSONEncoder().encode(change), as: UTF8.self)
            return FeedText.event(try change["kind"].map { try $0.decoded() } ?? "", text)
        }.joined()
        var answers: [(Timestamp, [Business], [String])] = []
        for (start, night) in Self.nights {
            for step in 0..<20 {
                let seconds = step * 3_600 + step % 2 * 1_800
                let now = try #require(Timestamp(rfc3339: start)).advanced(bySeconds: seconds)
                town.clock.set(now)
                let all = try await Self.list("", of: town)
                let open = try await Self.list("&open_now=true", of: town)
                try #require(all.count == 14 && !open.isEmpty && open.count < 14, "\(night)")
                answers.append((now, all, open.map(\.name)))
            }
        }
        (self.answers, clock) = (answers, town.clock)
    }

    private static func list(_ query: String, of town: ClientTown) async throws -> [Business] {
        let body = try await town.send(.get, "/api/v1/businesses?per_page=100\(query)").body
        return try JSONDecoder().decode(PaginatedResponse<Business>.self, from: Data(body)).items
    }

    /// Follows the town as the terminal does, with one bookmark at each time; how many lists were compared.
    @MainActor func compare(zone: String) async throws -> Int {
        let clocks = TownClock(try #require(TimeZone(identifier: zone)))
        let server = try StreamServer()
        let town = LiveTown(client: server.client, now: { [clock] in Self.date(clock.now) })
        let (all, open) = (RecordList(.businesses), RecordList(.businesses))
        open.isOpenOnly = true
        let following = Task { await town.follow() }
        let exchange = await server.next()
        exchange.open()
        exchange.send(FeedText.reset + feed)
        var count = 0
        for answer in answers {
            clock.set(answer.now)
            let when = "\(answer.now.rfc3339) in \(zone), seen from \(TimeZone.current.identifier)"
            exchange.send(FeedText.bookmark("\(count + 1)"))
            await wait { town.replica.position != nil && town.moment == Self.date(answer.now) }
            #expect(open.rows(in: town).map(\.name) == answer.open, "\(when)")
            let texts = answer.all.map { OpenText($0.openState, clocks.of($0.timeZone)).text }
            #expect(all.rows(in: town).map { $0.state?.text } == texts, "\(when)")
            count += 1
        }
        following.cancel()
        await following.value
        return count
    }

    private static func date(_ time: Timestamp) -> Date { Date(timeIntervalSince1970: TimeInterval(time.seconds)) }
}
