import Bytes
import Foundation
import Service
import SookeModel
import Store
import Testing
import TestSupport

@testable import sooke

/// What the demo shows, whenever it begins.
@Suite struct DemoTownTests {
    /// The clocks of Vancouver, regardless of the database of the machine.
    private static func vancouver() throws -> SookeModel.TimeZone {
        let file = try #require(TZifFixture.zones["America/Vancouver"])
        return try TZifReader.read(file.bytes, name: "America/Vancouver")
    }

    /// 400 times in two years: each hour and day of the week, ends of months, a leap day, nights in which the clocks
    /// are changed, the first and the last minutes of days.
    private static func moments(in zone: SookeModel.TimeZone) throws -> [Timestamp] {
        let first = try #require(Timestamp(rfc3339: "2026-11-28T08:05:00Z"))
        let spread = (0..<320).map { first.advanced(bySeconds: $0 * (43 * 3600 + 37 * 60)) }
        let days = [
            "2027-01-31", "2027-02-28", "2028-02-29", "2027-03-13", "2027-03-14", "2027-03-15", "2027-05-08",
            "2027-06-30", "2027-07-01", "2027-07-02", "2027-11-06", "2027-11-07", "2027-11-08", "2027-12-25",
            "2027-12-31", "2028-01-01",
        ]
        let special = try days.flatMap { text in
            let day = try #require(Timestamp(rfc3339: "\(text)T00:00:00Z")).civil.date
            return [60, 3 * 3600, 12 * 3600, 23 * 3600 + 50 * 60, 86_340].map {
                zone.moment(of: day, secondsOfDay: $0)
            }
        }
        return (spread + special).sorted()
    }

    /// One town begins again at some of the times; at all of them with `SOOKE_DEMO_MOMENTS=all`.
    @Test func aWeekIsFull() async throws {
        let zone = try Self.vancouver()
        let moments = try Self.moments(in: zone)
        #expect(moments.count == 400)
        let demo = try await DemoPages(at: moments[0], in: zone)
        let step = ProcessInfo.processInfo.environment["SOOKE_DEMO_MOMENTS"] == "all" ? 1 : 7
        for index in stride(from: 0, to: moments.count, by: step) {
            if index > 0 { try await demo.begin(at: moments[index]) }
            for target in ["/", "/week"] {
                let shown = EventsOnPage(try await demo.page(target))
                let text = "\(target) at \(demo.now.rfc3339)"
                #expect(Set(shown.all).count >= 6, "\(text): \(shown.all)")
                #expect(!shown.today.isEmpty, "\(text) today")
                #expect(!shown.cancelled.isEmpty, "\(text) cancelled")
            }
            checkMeanings(of: demo)
            checkPlaces(of: demo)
        }
    }

    /// The date of each event is one on which it may be, and it is not over.
    private func checkMeanings(of demo: DemoPages) {
        let text = "at \(demo.now.rfc3339)"
        func date(_ slug: String) -> CivilDate? { demo.date(of: demo.event(slug)) }
        for (slug, month, day) in [("canada-day-pancake-breakfast", 7, 1), ("new-years-eve-lantern-walk", 12, 31)] {
            #expect(date(slug).map { [$0.month, $0.day] } == [month, day], "\(slug) \(text)")
        }
        // Slug, month, day of the week and which of them; the clocks are changed on the second and the first Sunday.
        for (slug, month, weekday, ordinal) in [
            ("spring-forward-five", 3, 0, 2), ("fall-back-chili-cook-off", 11, 0, 1),
            ("winter-birds-of-whiffin-spit", 1, 6, 2), ("studio-weekend", 4, 6, 3), ("indoor-winter-market", 1, 6, 3),
            ("harbour-society-evening", 2, 2, 1), ("light-up-the-boardwalk", 12, 6, 1),
        ] {
            let found = date(slug).map { [$0.month, $0.dayOfWeek, ($0.day - 1) / 7 + 1] }
            #expect(found == [month, weekday, ordinal], "\(slug) \(text)")
        }
        // The day after the second market is Mother's Day, the second Sunday of May.
        let motherDay = date("saturday-farmers-market-2")?.advanced(by: 1)
        #expect(motherDay.map { $0.month == 5 && $0.dayOfWeek == 0 && 8...14 ~= $0.day } == true, "\(text)")
        for event in demo.town.events.inOrderOfID.map(\.value) {
            let first = demo.date(of: event)?.daysSinceEpoch ?? 0
            let (today, end) = (demo.today.daysSinceEpoch, event.recurrence(in: demo.zone)?.last?.effectiveEnd)
            let last = (end ?? event.endsAt ?? event.startsAt).map { demo.zone.localDate(at: $0).date.daysSinceEpoch }
            #expect(event.rrule != nil && end == nil || last ?? 0 >= today, "\(event.slug) is over \(text)")
            #expect(first <= today + 371, "\(event.slug) is far away \(text)")
        }
    }

    /// One place has special hours today, another one is closed for a while; a report and an event wait.
    private func checkPlaces(of demo: DemoPages) {
        let today = demo.today
        let rows = demo.town.businesses.inOrderOfID.flatMap(\.value.specialHours)
        #expect(rows.contains { $0.from == today && $0.to == today && !$0.isClosed })
        #expect(rows.contains { $0.isClosed && $0.to == nil && $0.from.map { $0 < today } == true })
        #expect(rows.contains { $0.isClosed && $0.from?.dayOfWeek == 1 && $0.to?.dayOfWeek == 5 })
        #expect(demo.town.proposals.inOrderOfID.contains { $0.isOpen && $0.about == .business && $0.business != nil })
        #expect(demo.town.events.inOrderOfID.contains { $0.value.status == .pendingReview })
    }

    /// The week is full of what the calendars have, whenever that is fetched.
    @Test(arguments: ["2026-11-29T20:00:00Z", "2027-07-01T07:30:00Z", "2028-02-29T12:00:00Z"])
    func aWeekOfPulledEvents(now: String) async throws {
        let demo = try await DemoPages(at: try #require(Timestamp(rfc3339: now)), in: try Self.vancouver())
        let before = Set(EventsOnPage(try await demo.page("/week")).all)
        #expect(try await demo.pull() == [])
        let week = Set(EventsOnPage(try await demo.page("/week")).all).subtracting(before)
        #expect(week.count >= 9, "\(week)")
        let pulled = demo.town.events.inOrderOfID.map(\.value).filter { $0.source != nil }
        #expect(pulled.count == 14 && pulled.allSatisfy { $0.status == .approved && $0.eventType != Slug("") })
        let atHall = pulled.filter { $0.business == Slug("church-road-community-hall") }
        #expect(atHall.count == 7 && atHall.allSatisfy { $0.host == $0.business })
        #expect(try await demo.page("/events/pickleball").contains("From the calendar “<bdi>Community Hall</bdi>”"))
    }

    /// The first and the last years of the calendar do not keep the demo from its start.
    @Test(arguments: ["0000-01-01T12:00:00Z", "9999-12-31T12:00:00Z"])
    func theEndsOfTheCalendar(now: String) async throws {
        let demo = try await DemoPages(at: try #require(Timestamp(rfc3339: now)), in: try Self.vancouver())
        #expect(demo.town.businesses.count == 40)
    }
}

@Suite struct ReadablePasswordTests {
    @Test func everyOneIsAllowedAndNew() throws {
        let email = "ada@sooke.example"
        let made = try (0..<200).map { _ in try ReadablePassword.make(for: email) }
        #expect(Set(made).count == 200)
        #expect(made.allSatisfy { PasswordPolicy.problem(with: Password($0), knowing: [email]) == nil })
        #expect(made.allSatisfy { $0.count == 24 })
    }
}
