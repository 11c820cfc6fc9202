import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

/// What calendars of others say, fetch after fetch, and what the town makes of it.
@Suite struct CalendarMergeTests {
    /// A town with a library, a hall and two calendars, that of the library being accepted.
    private struct Rig {
        var town = Town()
        var hour = 0

        init(trust: PulledCalendar.Trust = .publish, accepted: Bool = true) throws {
            try write { transaction in
                try transaction.create(patch(SookeModel.Category.self) { $0.name = "Places" })
                try transaction.create(patch(EventType.self) { $0.name = "Talk" })
                for name in ["Library", "Hall"] {
                    try transaction.create(
                        patch(Business.self) {
                            ($0.name, $0.address, $0.category) = (name, "1 A", Slug("places"))
                            ($0.latitude, $0.longitude) = (48, -123)
                        })
                }
                for name in ["Library", "Club"] {
                    try transaction.create(
                        patch(PulledCalendar.self) {
                            ($0.name, $0.address) = (name, "https://\(name).example/key.ics")
                            ($0.eventType, $0.trust) = (Slug("talk"), trust)
                            if name == "Library" { ($0.host, $0.place) = (Slug("library"), Slug("library")) }
                            $0.acceptedAt = accepted ? .epoch : nil
                        })
                }
            }
        }

        var now: Timestamp { Timestamp(microseconds: (1_811_808_000 + hour * 3600) * 1_000_000) }

        mutating func write(_ body: (inout WriteTransaction) throws -> Void) throws {
            var transaction = WriteTransaction(town, at: now)
            try body(&transaction)
            town = transaction.town
        }

        var clock: EventClock { EventClock(now: now, zone: .utc) { _ in nil } }

        /// Six hours later; nil for an answer that has not changed.
        @discardableResult
        mutating func fetch(_ events: [String]?, of calendar: Int = 1) throws -> CalendarMerge {
            hour += 6
            let text = events.map { "BEGIN:VCALENDAR\r\n\($0.joined())END:VCALENDAR\r\n" }
            let stored = try #require(town.calendars[calendar])
            let read = text.flatMap {
                PulledAnswer(Array($0.utf8), of: stored, in: town, at: now, ImportOptions(zone: .utc))
            }
            for finding in read?.leftOut ?? [] { Issue.record("\(finding)") }
            let merge = CalendarMerge(text.map { _ in read?.events ?? [] }, of: stored, in: town, at: clock)
            try write { transaction in
                let isApplied = transaction.apply(merge.changes)
                #expect(isApplied)
            }
            return merge
        }

        subscript(slug: String) -> Event? { town.events[Slug(slug)]?.value }

        func page() -> [String] {
            town.page(PageRequest(), of: EventQuery(clock: clock)).records.map(\.value.name)
        }
    }

    private static func event(
        _ uid: String, _ name: String, _ start: String = "20270610T190000Z", _ more: String...
    ) -> String {
        let lines = ["BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:\(name)", "DTSTART:\(start)"] + more + ["END:VEVENT"]
        return lines.map { $0 + "\r\n" }.joined()
    }

    @Test func newOnesWaitUntilTheFirstFetchIsAccepted() throws {
        var rig = try Rig(accepted: false)
        try rig.fetch([Self.event("1", "Chess")])
        #expect(rig["chess"]?.status == .pendingReview)
        var accepted = try Rig()
        try accepted.fetch([Self.event("1", "Chess", "20270610T190000Z", "STATUS:CANCELLED"), Self.event("2", "Go")])
        #expect(accepted.page() == ["Go"])
        var queue = try Rig(trust: .queue)
        try queue.fetch([Self.event("1", "Chess")])
        #expect(queue["chess"]?.status == .pendingReview)
    }

    @Test func anEditedFieldStays() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess")])
        let id = try #require(rig["chess"]?.id)
        try rig.write { try $0.update(id, patch(Event.self) { $0.name = "Chess for all" }) }
        try rig.fetch([Self.event("1", "Chess")])
        #expect(rig["chess"]?.source?["name"]?.value == "{\"name\":\"Chess\"}")
        try rig.fetch([Self.event("1", "Blitz chess", "20270611T190000Z", "DESCRIPTION:New")])
        let event = try #require(rig["chess"])
        #expect(event.name == "Chess for all" && event.description == "New")
        #expect(event.startsAt == Timestamp(rfc3339: "2027-06-11T19:00:00Z"))
        #expect(event.source?["name"]?.value == "{\"name\":\"Blitz chess\"}")
        try rig.fetch([Self.event("1", "Chess for all", "20270611T190000Z", "DESCRIPTION:New")])
        #expect(rig["chess"]?.source?["name"]?.value == nil)
    }

    @Test func whatIsNotNewChangesNothing() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess")])
        let merge = try rig.fetch([Self.event("1", "Chess")])
        #expect(merge.changes.isEmpty)
    }

    @Test func aNewKeyOfTheSameEventKeepsItsSlug() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess"), Self.event("2", "Go")])
        let id = rig["chess"]?.id
        let merge = try rig.fetch([Self.event("9", "CHESS"), Self.event("2", "Go")])
        #expect(rig["chess"]?.id == id && rig["chess"]?.source?.key == "9" && merge.counts.made == 0)
        // Two with one name and start are not known by these.
        var branches = try Rig()
        try branches.fetch([Self.event("1", "Story"), Self.event("2", "Story")])
        #expect(branches.town.events.count == 2)
        let both = try branches.fetch([Self.event("3", "Story"), Self.event("4", "Story")])
        #expect(both.counts.made == 2)
    }

    @Test func aNewKeyIsKnownAfterAnEdit() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess")])
        let id = try #require(rig["chess"]?.id)
        try rig.write { try $0.update(id, patch(Event.self) { $0.name = "Chess for all" }) }
        try rig.fetch([Self.event("9", "Chess")])
        #expect(rig.town.events.count == 1 && rig["chess"]?.name == "Chess for all")
    }

    @Test func oneThatWasRemovedHereStaysAway() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess")])
        let event = try #require(rig["chess"])
        try rig.write { try $0.removeForNow(event) }
        let merge = try rig.fetch([Self.event("1", "Chess")])
        #expect(merge.counts.made == 0 && rig.page().isEmpty)
    }

    @Test func oneThatIsLackingIsWithdrawnAfterThreeAnswersAndADay() throws {
        var rig = try Rig()
        let others = (2...5).map { Self.event("\($0)", "Other \($0)") }
        try rig.fetch([Self.event("1", "Chess")] + others)
        let id = rig["chess"]?.id
        for _ in 0..<4 {
            try rig.fetch(others)
            #expect(rig.page().contains("Chess"))
        }
        // An answer that has not changed counts.
        let merge = try rig.fetch(nil)
        #expect(merge.counts.withdrawn == 1 && !rig.page().contains("Chess"))
        #expect(rig["chess"]?.withdrawnAt == rig.now && rig["chess"]?.isPublic == false)
        try rig.fetch([Self.event("1", "Chess")] + others)
        #expect(rig["chess"]?.id == id && rig["chess"]?.withdrawnAt == nil && rig.page().contains("Chess"))
    }

    @Test(arguments: [true, false]) func moreThanHalfWaitsForAPerson(areGone: Bool) throws {
        var rig = try Rig()
        let all = (1...7).map { Self.event("\($0)", "Event \($0)") }
        try rig.fetch(all)
        var merge: CalendarMerge?
        for _ in 0..<6 { merge = try rig.fetch(Array(all.prefix(3))) }
        #expect(merge?.gone?.count == 4 && merge?.gone?.of == 7 && rig.page().count == 7)
        let changes = CalendarMerge.settle(1, areGone: areGone, in: rig.town, at: rig.clock)
        try rig.write { _ = $0.apply(changes) }
        for _ in 0..<6 { merge = try rig.fetch(Array(all.prefix(3))) }
        #expect(rig.page().count == (areGone ? 3 : 7) && merge?.gone == nil)
    }

    /// It is neither changed nor withdrawn.
    @Test func whatIsOverStays() throws {
        var rig = try Rig()
        let all = (1...7).map { Self.event("\($0)", "Event \($0)", "20270602T190000Z", "DURATION:PT1H") }
        try rig.fetch(all)
        for _ in 0..<6 { try rig.fetch([]) }
        try #require(rig["event-1"]?.source?.missed == 6)
        rig.hour += 24
        let changes = CalendarMerge.settle(1, areGone: true, in: rig.town, at: rig.clock)
        #expect(changes.isEmpty)
        let merge = try rig.fetch(all.map { $0.replacing("Event", with: "Late") })
        #expect(merge.changes.isEmpty)
    }

    @Test func threeMayGoAtOnce() throws {
        var rig = try Rig()
        try rig.fetch((1...3).map { Self.event("\($0)", "Event \($0)") })
        for _ in 0..<6 { try rig.fetch([]) }
        #expect(rig.page().isEmpty)
    }

    @Test func theSameEventOfTwoCalendarsIsOne() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("a", "Chess", "20270610T190000Z", "LOCATION:Library, 1 A Street")], of: 2)
        let id = rig["chess"]?.id
        #expect(rig["chess"]?.business == Slug("library"))
        // The calendar of its host is the one that it follows.
        let merge = try rig.fetch([Self.event("b", "Chess", "20270610T190000Z", "DESCRIPTION:Bring a board")])
        #expect(rig.town.events.count == 1 && merge.twins.map(\.id) == [id])
        #expect(rig["chess"]?.source?.calendar == 1 && rig["chess"]?.description == "Bring a board")
        #expect(rig["chess"]?.sources.map(\.part) == [.source, .other])
        // Elsewhere is another event.
        try rig.fetch(
            [
                Self.event("a", "Chess", "20270610T190000Z", "LOCATION:Library, 1 A Street"),
                Self.event("c", "Chess", "20270610T190000Z", "LOCATION:Hall"),
            ], of: 2)
        #expect(rig.town.events.count == 2)
        // The other one has it still when the first one does not.
        for _ in 0..<6 { try rig.fetch([]) }
        #expect(rig["chess"]?.source?.calendar == 2 && rig["chess"]?.withdrawnAt == nil)
    }

    @Test func eventsToldApartAreTwo() throws {
        var rig = try Rig()
        try rig.write {
            try $0.create(
                patch(Event.self) {
                    ($0.name, $0.eventType, $0.status) = ("Chess", Slug("talk"), .approved)
                    $0.startsAt = Timestamp(rfc3339: "2027-06-10T19:00:00Z")
                })
        }
        try rig.fetch([Self.event("b", "Chess")])
        var event = try #require(rig["chess"])
        #expect(rig.town.events.count == 1 && event.sources.map(\.part) == [.other])
        event.sources[0].part = .apart
        try rig.write { try $0.update(event.id, patch(Event.self) { $0.sources = event.sources }) }
        try rig.fetch([Self.event("b", "Chess")])
        try rig.fetch([Self.event("b", "Chess")])
        #expect(rig.town.events.count == 2)
    }

    @Test func cancelledThereIsCancelledHere() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess")])
        try rig.fetch([Self.event("1", "CANCELLED: Chess")])
        #expect(rig["chess"]?.status == .cancelled && rig["chess"]?.name == "Chess")
        try rig.fetch([Self.event("1", "Chess")])
        #expect(rig["chess"]?.status == .approved)
    }

    @Test func changesOfAnotherVersionAreNotApplied() throws {
        var rig = try Rig()
        try rig.fetch([Self.event("1", "Chess")])
        let stored = try #require(rig.town.calendars[1])
        let merge = CalendarMerge([], of: stored, in: rig.town, at: rig.clock)
        let id = try #require(rig["chess"]?.id)
        try rig.write { try $0.update(id, patch(Event.self) { $0.price = "$5" }) }
        try rig.write { transaction in
            let isApplied = transaction.apply(merge.changes)
            #expect(!isApplied)
        }
        #expect(rig["chess"]?.source?.missed == 0)
    }

    /// Two calendars that bring the same event at once.
    @Test func oneThatHasComeMeanwhileIsNotMadeAgain() throws {
        var rig = try Rig()
        let club = try #require(rig.town.calendars[2])
        let read = try #require(
            PulledAnswer(
                Array("BEGIN:VCALENDAR\r\n\(Self.event("a", "CHESS"))END:VCALENDAR\r\n".utf8), of: club, in: rig.town,
                at: rig.now, ImportOptions(zone: .utc)))
        let merge = CalendarMerge(read.events, of: club, in: rig.town, at: rig.clock)
        try rig.fetch([Self.event("1", "Chess"), Self.event("2", "Go")])
        try rig.write { transaction in
            let isApplied = transaction.apply(merge.changes, of: merge.town)
            #expect(!isApplied)
        }
        #expect(rig.town.events.count == 2)
    }

    /// The first ones to come, and others as soon as there is room.
    @Test func atMostTwoThousandCome() throws {
        var rig = try Rig()
        let all = (0..<2_003).map { number in
            Self.event("\(number)", "Talk \(number)", "20270610T19\(number < 1_000 ? "00" : "30")00Z")
        }
        let merge = try rig.fetch(all.reversed())
        #expect(merge.counts.made == 2_000 && merge.isOpen)
        #expect(merge.leftOut == ["3 events after the first 2,000 to come"])
        let start = Timestamp(rfc3339: "2027-06-10T19:00:00Z")
        #expect(rig.town.events.inOrderOfID.count { $0.value.startsAt == start } == 1_000)
        let next = try rig.fetch(Array(all.dropLast(2)))
        #expect(next.counts.made == 2 && next.leftOut == ["1 event after the first 2,000 to come"])
    }

    @Test(arguments: [
        "", "<!DOCTYPE html><html>", "{\"error\":true}", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n",
    ])
    func anotherAnswerIsNoCalendar(text: String) throws {
        #expect(!PulledAnswer.isWhole(Array(text.utf8)))
    }

    @Test func aWholeCalendarMayHaveNoEvents() {
        #expect(PulledAnswer.isWhole(Array("\u{FEFF}BEGIN:VCALENDAR\nEND:VCALENDAR\n<!-- cached -->".utf8)))
    }
}

/// The fields that a closure sets.
private func patch<Value: Record>(_ type: Value.Type, _ set: (inout Value) -> Void) -> Patch<Value> {
    var patch = Patch<Value>()
    set(&patch.values)
    patch.fields = patch.values.difference(from: Value())
    return patch
}
