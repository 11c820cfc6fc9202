import Bytes
import SookeModel
import Testing

@testable import Store

/// Lists of events in a town with a thousand series that occur every few years.
@Suite struct WorkBudgetTests {
    private static let now = Timestamp(clampingSeconds: 1_795_253_400)
    private static let rare = "FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR;BYMONTH=2,3"
    private static let always =
        Timestamp(clampingSeconds: -62_135_596_800)..<Timestamp(clampingSeconds: 253_402_214_400)

    private func town(_ count: Int = 1_000, rule: String = rare) throws -> Town {
        var community = Town()
        var type = EventType()
        (type.id, type.name, type.slug) = (1, "Music", Slug("music"))
        _ = try community.apply(.put(AnyRecord(type)), at: nil)
        for id in 1...count {
            var event = Event()
            (event.id, event.name, event.slug, event.status) = (id, "Rare \(id)", Slug("rare-\(id)"), .approved)
            (event.eventType, event.rrule) = (Slug("music"), rule)
            event.startsAt = Timestamp(clampingSeconds: 1_700_000_000 + 86_400 * id)
            _ = try community.apply(.put(AnyRecord(event)), at: nil)
        }
        return community
    }

    private func clock(_ steps: Int = WorkBudget.most, at now: Timestamp = now) -> EventClock {
        EventClock(now: now, zone: TimeZone(name: "UTC", fixedOffset: 0), work: WorkBudget(steps)) { _ in nil }
    }

    /// The steps and the length of a list.
    private func list(
        _ community: Town, _ range: Range<Timestamp>?, at clock: EventClock
    ) throws -> (steps: Int, total: Int) {
        let page = community.page(PageRequest(), of: EventQuery(range: range, clock: clock))
        return (WorkBudget.most - (clock.work.left ?? 0), page.total)
    }

    @Test func occurrencesAreFoundOnce() throws {
        let (community, town) = (try town(), clock(10_000_000))
        _ = UpcomingSeries(of: community, at: town)
        let week = Self.now..<Self.now.advanced(bySeconds: 7 * 86_400)
        for (range, total, most) in [(nil, 1_000, 30_000), (week, 0, 30_000), (Self.always, 1_000, 350_000)] {
            let clock = clock()
            let result = try list(community, range, at: clock)
            #expect(result.total == total && result.steps <= most && !clock.work.isBounded, "\(result)")
        }
        // Also while the time goes on.
        let later = clock(at: Self.now.advanced(bySeconds: 20 * 86_400))
        #expect(try list(community, nil, at: later).steps <= 30_000)
    }

    /// Without work left a list ends early; the next request gets further.
    @Test func endsEarly() throws {
        let community = try town(300)
        var totals: [Int] = []
        repeat {
            let clock = clock(60_000)
            totals.append(community.page(PageRequest(), of: EventQuery(clock: clock)).total)
            #expect(clock.work.isBounded == (totals.last != 300))
        } while totals.last != 300 && totals.count < 20
        #expect(totals == totals.sorted() && totals.count > 2 && totals.last == 300, "\(totals)")
    }

    /// A rule that takes longer than a request may is followed from where the request before has ended.
    @Test func goesOnWithOneRule() throws {
        let community = try town(1, rule: "FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO")
        let record = try #require(community.events[1])
        var (requests, shown) = (0, record.single)
        repeat {
            let clock = clock(1_000, at: Timestamp(clampingSeconds: 4_010_000_000))
            shown = record.representative(at: clock, nil)
            requests += 1
            #expect(clock.work.isBounded == (shown == record.single))
        } while shown == record.single && requests < 100
        let clock = clock(.max, at: Timestamp(clampingSeconds: 4_010_000_000))
        let series = try #require(record.recurrence(at: clock, nil))
        #expect(requests > 1 && shown == series.next(at: clock.now))
    }

    /// A calendar has what takes too long to find out: a client would delete the event.
    @Test func calendarsLeaveNothingOut() throws {
        let community = try town(3)
        for event in community.calendarEvents(since: Self.now, withdrawnSince: Self.now, eventTypes: nil, business: nil)
        {
            #expect(event.mayOccur(since: Self.now, at: clock(0), nil))
        }
    }

    /// The parts of a whole list have work of their own.
    @Test func wholeLists() throws {
        let community = try town()
        var list = community.list(of: EventQuery(range: Self.always, clock: clock(100_000_000)))
        var sizes: [Int] = []
        while let part = list.next(visiting: 128) { sizes.append(part.count) }
        #expect(sizes.reduce(0, +) == 1_000 && sizes.allSatisfy { $0 <= 128 })
    }
}
