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
        // Of the holiday nothing is said, or that it is to be asked for each time.
        (
            #""opening_hours":"Mo-Su 08:00-20:00""#, "2026-12-25T18:00:00Z",
            "open until 2026-12-26T04:00:00Z, next 2026-12-26T16:00:00Z, regular, not confirmed for Christmas Day"
        ),
        (
            #""opening_hours":"24/7","public_holidays":"ask""#, "2026-12-25T18:00:00Z",
            "open until 2026-12-26T08:00:00Z, next never, regular, not confirmed for Christmas Day"
        ),
        (
            #""opening_hours":"Mo-Su 08:00-20:00","public_holidays":"ask""#, "2026-12-25T06:00:00Z",
            "closed until 2026-12-25T16:00:00Z, next 2026-12-25T16:00:00Z, regular, not confirmed for Christmas Day"
        ),
        // The standing answers.
        (
            #""opening_hours":"Mo-Su 08:00-20:00","public_holidays":"as_usual""#, "2026-12-25T18:00:00Z",
            "open until 2026-12-26T04:00:00Z, next 2026-12-26T16:00:00Z, regular"
        ),
        (
            #""opening_hours":"Mo-Su 08:00-02:00","public_holidays":"closed""#, "2026-12-25T09:30:00Z",
            "closing_soon until 2026-12-25T10:00:00Z, next 2026-12-26T16:00:00Z, regular"
        ),
        (
            #""opening_hours":"Mo-Su 08:00-20:00","public_holidays":"closed""#, "2026-12-25T18:00:00Z",
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
            let nothing = #""hours":[],"opening_hours":null,"special_hours":[],"time_zone":null,"public_holidays":null"#
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
        let holiday = (state["unconfirmed"] as? [String: String])?["holiday"]
        let doubt = holiday.map { ", not confirmed for \($0)" } ?? ""
        return "\(state["status"] ?? "") until \(until), next \(next), \(state["reason"] ?? "")\(comment)\(doubt)"
    }

    /// What is usually open is open now, and can be left out.
    @Test func confirmedOrNot() async throws {
        let town = try await TestTown.peopled()
        let hours = #"{"opening_hours":"Mo-Su 08:00-20:00"}"#
        #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: hours).status.code == 200)
        for (at, open, confirmed) in [("2026-12-24", true, true), ("2026-12-25", true, false)] {
            town.clock.set(try #require(Timestamp(rfc3339: "\(at)T20:00:00Z")))
            for (value, isListed) in [("true", open), ("confirmed", confirmed), ("false", true)] {
                let answer = try await town.send(.get, "/api/v1/businesses?open_now=\(value)")
                #expect(answer.text.contains(#""slug":"zeds""#) == isListed, "\(at) \(value)")
            }
        }
        let wrong = try await town.send(.get, "/api/v1/businesses?open_now=maybe")
        #expect(wrong.status.code == 400 && wrong.text.contains("must be true, confirmed or false"))
    }

    /// What hours say of all holidays is what the record says of them, and goes with the hours.
    @Test(arguments: [
        (#"{"opening_hours":"Mo-Fr 09:00-17:00; PH off"}"#, "closed"),
        (#"{"opening_hours":"Mo-Fr 09:00-17:00; PH off","public_holidays":"as_usual"}"#, "closed"),
        (#"{"opening_hours":"Mo-Fr 09:00-17:00; PH 10:00-12:00","public_holidays":"closed"}"#, nil),
        (#"{"opening_hours":"Mo-Fr 09:00-17:00; PH off"} {"opening_hours":"Mo-Fr 09:00-17:00"}"#, nil),
        (#"{"opening_hours":"Mo-Fr 09:00-17:00; PH off"} {"hours":[]}"#, nil),
        (#"{"opening_hours":"Mo-Fr 09:00-17:00; PH off"} {"phone":"250-555-0100"}"#, "closed"),
        (#"{"public_holidays":"ask"} {"opening_hours":"Mo-Fr 09:00-17:00"}"#, "ask"),
    ])
    func normalised(patches: String, answer: String?) async throws {
        let town = try await TestTown.peopled()
        for patch in patches.components(separatedBy: " {").map({ $0.hasPrefix("{") ? $0 : "{" + $0 }) {
            #expect(try await town.send(.patch, "/api/v1/businesses/zeds", as: .ada, body: patch).status.code == 200)
        }
        let shown = try await town.send(.get, "/api/v1/businesses/zeds").text
        #expect(shown.contains("public_holidays") == (answer != nil))
        if let answer { #expect(shown.contains(#""public_holidays":"\#(answer)""#)) }
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
