import Bytes
import Foundation
import HTTP
import SookeModel
import Testing

@testable import API

/// The open state in responses: by hours, special hours and holidays, on the clocks of the business.
@Suite struct OpenStateTests {
    /// The hours of a business as the members of a patch, a time in UTC, and its state then. The town is in Vancouver,
    /// eight hours behind UTC in winter.
    static let rows: [(hours: String, at: String, state: String)] = [
        (
            #""hours":[{"day_of_week":2,"open_time":"09:00","close_time":"12:00"},"#
                + #"{"day_of_week":2,"open_time":"13:00","close_time":"17:00"}]"#,
            "2026-11-24T20:30:00Z", "opens_soon until 2026-11-24T21:00:00Z, next 2026-11-24T21:00:00Z, regular"
        ),
        // Past midnight: the hours of Monday, on Tuesday.
        (
            #""hours":[{"day_of_week":1,"open_time":"16:00","close_time":"01:30"}]"#, "2026-11-24T08:45:00Z",
            "closing_soon until 2026-11-24T09:30:00Z, next 2026-12-01T00:00:00Z, regular"
        ),
        (#""opening_hours":"24/7""#, "2026-11-24T08:45:00Z", "open until never, next never, regular"),
        (
            #""opening_hours":"Mo-Su 08:00-20:00; PH off""#, "2026-12-25T18:00:00Z",
            "closed until 2026-12-26T16:00:00Z, next 2026-12-26T16:00:00Z, holiday Christmas Day"
        ),
        (
            #""opening_hours":"Mo-Su 08:00-20:00","special_hours":[{"from":"2026-12-24","to":"2026-12-26","#
                + #""is_closed":true,"reason":"Family time"}]"#,
            "2026-12-25T18:00:00Z",
            "closed until 2026-12-27T16:00:00Z, next 2026-12-27T16:00:00Z, special Family time"
        ),
        // On the clocks of the business.
        (
            #""opening_hours":"Mo-Su 08:00-20:00","time_zone":"Europe/Berlin""#, "2026-11-24T08:45:00Z",
            "open until 2026-11-24T19:00:00Z, next 2026-11-25T07:00:00Z, regular"
        ),
        (#""opening_hours":"sunrise-sunset""#, "2026-11-24T20:00:00Z", "unknown until never, next never, unknown"),
    ]

    @Test func states() async throws {
        let town = try await TestTown.peopled()
        for (hours, at, state) in Self.rows {
            let nothing = #""hours":[],"opening_hours":null,"special_hours":[],"time_zone":null"#
            for body in [nothing, hours] {
                let answer = try await town.send(.patch, "/api/v1/businesses/zeds", as: .folder, body: "{\(body)}")
                #expect(answer.status.code == 200, "\(answer.text)")
            }
            town.clock.set(try #require(Timestamp(rfc3339: at)))
            for target in ["/api/v1/businesses/zeds", "/api/v1/businesses?search=zed"] {
                let answer = try await town.send(.get, target)
                let body = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
                let business = (body["items"] as? [[String: Any]])?.first ?? body
                let shown = try #require(business["open_state"] as? [String: Any])
                #expect(Self.text(shown) == state, "\(target) of \(hours)")
            }
        }
    }

    private static func text(_ state: [String: Any]) -> String {
        let (until, next) = (state["until"] as? String ?? "never", state["next_open"] as? String ?? "never")
        let comment = (state["comment"] as? String).map { " \($0)" } ?? ""
        return "\(state["status"] ?? "") until \(until), next \(next), \(state["reason"] ?? "")\(comment)"
    }

    /// A stored response is sent until the state changes, and not after.
    @Test func aStoredResponseEndsWithTheState() async throws {
        let town = try await TestTown.peopled()
        let hours = #"{"opening_hours":"Mo-Su 08:00-20:00"}"#
        #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: hours).status.code == 200)
        let start = try #require(Timestamp(rfc3339: "2026-11-24T15:00:00Z"))
        for (seconds, status) in [(-1, "closed"), (0, "opens_soon"), (3599, "opens_soon"), (3600, "open")] {
            town.clock.set(start.advanced(bySeconds: seconds))
            for target in ["/api/v1/businesses/zeds", "/api/v1/businesses?search=zed"] {
                for _ in 0..<2 {
                    let answer = try await town.send(.get, target)
                    #expect(answer.text.contains(#""open_state":{"status":"\#(status)""#), "\(target) at \(seconds) s")
                }
            }
        }
    }

    /// The text wins over the rows of a week, and sets them; new rows replace the text.
    @Test func textAndWeekFollowEachOther() async throws {
        let town = try await TestTown.peopled()
        func patch(_ body: String) async throws -> Business {
            let answer = try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: body)
            #expect(answer.status.code == 200, "\(answer.text)")
            return try #require(town.store.current.town.businesses[Slug("zeds")]).value
        }
        var zeds = try await patch(#"{"opening_hours":"Mo 09:00-12:00,13:00-17:00; PH off"}"#)
        #expect(
            zeds.hours.filter { !$0.isClosed }.map { "\($0.dayOfWeek) \($0.opens.text)-\($0.closes.text)" } == [
                "1 09:00:00-12:00:00", "1 13:00:00-17:00:00",
            ])
        let detail = try await town.send(.get, "/api/v1/businesses/zeds").text
        #expect(
            detail.contains(
                #"{"day_of_week":1,"open_time":"09:00:00","close_time":"17:00:00","is_closed":false},{"day_of_week":2,"#
            ))
        #expect(detail.contains(#""opening_hours":"Mo 09:00-12:00,13:00-17:00; PH off""#))
        zeds = try await patch(#"{"hours":[{"day_of_week":2,"open_time":"10:00","close_time":"11:00"}]}"#)
        #expect(zeds.openingHours == nil)
        #expect(zeds.hours.map(\.dayOfWeek) == [2])
    }

    @Test func expiredHoursAreNotShown() async throws {
        let town = try await TestTown.peopled()
        let body = #"{"special_hours":[{"from":"2026-11-24","to":"2026-11-25","is_closed":true,"reason":"Painting"}]}"#
        #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: body).status.code == 200)
        for (at, isShown) in [("2026-11-26T07:59:00Z", true), ("2026-11-26T08:00:00Z", false)] {
            town.clock.set(try #require(Timestamp(rfc3339: at)))
            #expect(try await town.send(.get, "/api/v1/businesses/zeds").text.contains("Painting") == isShown)
        }
    }
}
