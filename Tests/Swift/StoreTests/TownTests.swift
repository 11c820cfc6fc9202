import Bytes
import JSON
import SookeModel
import TestSupport
import Testing

@testable import Store

/// Queries by indexes, compared with scans of all records.
@Suite struct TownTests {
    @Test(arguments: 1...UInt64(Cases.count(1, of: 3)))
    func indexesFindWhatAScanFinds(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var town = try RandomTown(&random)
        for _ in 0..<400 {
            try town.change(&random)
            if random.next() % 8 == 0 { try expectSameResults(town, &random) }
        }
        try expectSameResults(town, &random)
    }

    /// The list of tables follows from the properties.
    @Test func everyTableIsInTheListOfAll() {
        #expect(Mirror(reflecting: Town.Tables()).children.count { $0.label != "added" } == Town.Tables.all.count)
        #expect(
            Town.kinds == [
                .settings, .category, .eventType, .person, .business, .event, .notice, .calendar, .password,
                .credential, .receipt, .proposal, .mail,
            ])
        #expect(Town.recordTypes.map { $0.kind } == Town.sharedKinds + [.calendar])
    }

    @Test func aVersionIsNotAffectedByLaterChanges() throws {
        var random = SplitMix64(seed: 7)
        var town = try RandomTown(&random)
        for _ in 0..<100 { try town.change(&random) }
        let held = town.town
        let before = lines(of: held)
        for _ in 0..<300 { try town.change(&random) }
        #expect(lines(of: held) == before)
        #expect(lines(of: town.town) != before)
    }

    @Test func linesReadBackAreTheSameTown() throws {
        var random = SplitMix64(seed: 11)
        var town = try RandomTown(&random)
        for _ in 0..<200 { try town.change(&random) }
        var reader = TownReader()
        let written = lines(of: town.town)
        for line in written { try reader.read(Array(line.utf8)[...]) }
        #expect(try lines(of: reader.finish()) == written)
    }

    /// The store does not write such lines. In a file from elsewhere the last one counts, as in a log.
    @Test(arguments: [
        (["1 a A", "2 b B", "1 c C"], ["1 c C", "2 b B"]), (["1 a A", "2 b B", "3 a C"], ["1 a A", "2 b B", "3 a C"]),
        (["3 c C", "1 a A", "2 b A"], ["1 a A", "2 b A", "3 c C"]), (["1 a A", "1 a A"], ["1 a A"]), ([], []),
    ])
    func businessesAreTakenInAnyOrder(_ given: [String], _ expected: [String]) throws {
        var reader = TownReader()
        func read(_ line: String) throws { try reader.read(Array(line.utf8)[...]) }
        for line in ["\"categories\":[", #"{"id":1,"name":"C","slug":"c"}"#, "],", "\"businesses\":["] {
            try read(line)
        }
        for business in given {
            let parts = business.split(separator: " ")
            try read(#"{"id":\#(parts[0]),"slug":"\#(parts[1])","name":"\#(parts[2])","category":"c"}"#)
        }
        try read("],")
        let town = try reader.finish()
        let table = town.businesses
        func shown(_ record: BusinessRecord) -> String {
            "\(record.value.id) \(record.value.slug) \(record.value.name)"
        }
        #expect(table.inOrderOfID.map(shown) == expected)
        let listed = town.page(PageRequest(number: 1, size: 9), of: BusinessQuery()).records
        #expect(
            listed.map { "\($0.value.name) \($0.value.id)" }
                == listed.map { "\($0.value.name) \($0.value.id)" }.sorted())
        #expect(listed.count == expected.count)
        // Of businesses with the same slug the last one is found by it.
        for business in expected.reversed() where business.contains(" a ") {
            #expect(table[Slug("a")].map(shown) == business)
            break
        }
    }

    /// Names with an equal prefix longer than what is sorted at once, in fewer and more records than one thread sorts.
    @Test(arguments: [600, 10_200])
    func manyAtOnceAreListedAsOneByOne(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let starts = [0, 10, 20, 40, 70].map { String(repeating: "long name ", count: $0 / 10) }
        var (reader, grown) = (TownReader(), Table<BusinessRecord>())
        for line in ["\"categories\":[", #"{"id":1,"name":"C","slug":"c"}"#, "],", "\"businesses\":["] {
            try reader.read(Array(line.utf8)[...])
        }
        for id in (1...count).shuffled(using: &random) {
            let name = random.pick(starts) + random.pick(["", "a", "ab", "B", "é", "1"]) + "\(random.below(count / 4))"
            let category = random.once(in: 9) ? "null" : "\"c\""
            let line = Array(#"{"id":\#(id),"slug":"s\#(id)","name":"\#(name)","category":\#(category)}"#.utf8)
            try reader.read(line[...])
            var json = JSONReader(line)
            grown.put(BusinessRecord(try Business(stored: &json), categoryID: category == "null" ? nil : 1))
        }
        try reader.read(Array("],".utf8)[...])
        let table = try reader.finish().businesses
        #expect(BusinessRecord.inSnapshotOrder(table).map(\.id) == BusinessRecord.inSnapshotOrder(grown).map(\.id))
        #expect(table.listed(in: 1).map(\.value.id) == grown.listed(in: 1).map(\.value.id))
        #expect((1...count).allSatisfy { table[Slug("s\($0)")]?.id == $0 && grown[Slug("s\($0)")]?.id == $0 })
    }

    /// As in a commit that changes both.
    @Test func slugsMayBeSwapped() throws {
        var table = Table<BusinessRecord>()
        for (id, slug) in [(1, "a"), (2, "b"), (1, "b"), (2, "a")] {
            var business = Business()
            (business.id, business.name, business.slug) = (id, "N", Slug(slug))
            table.put(BusinessRecord(business, categoryID: nil))
        }
        #expect(table[Slug("a")]?.id == 2 && table[Slug("b")]?.id == 1)
        table.remove(id: 2)
        #expect(table[Slug("a")] == nil && table[Slug("b")]?.id == 1)
    }

    @Test func aSnapshotHasBusinessesInTheOrderOfListsAndAnExportByID() throws {
        var reader = TownReader()
        for line in [
            "\"categories\":[", #"{"id":1,"name":"C","slug":"c"}"#, "],", "\"businesses\":[",
            #"{"id":1,"slug":"a","name":"Zed","category":"c"},"#, #"{"id":2,"slug":"b","name":"Hidden"},"#,
            #"{"id":3,"slug":"c","name":"Ann","category":"c"},"#, #"{"id":4,"slug":"d","name":"ann","category":"c"}"#,
            "],",
        ] {
            try reader.read(Array(line.utf8)[...])
        }
        let town = try reader.finish()
        func names(whole: Bool) -> [Substring] {
            var names: [Substring] = []
            town.forEachLine(whole: whole) {
                names += String(decoding: $0, as: UTF8.self).matches(of: /"name":"(\w{3,})"/).map(\.1)
            }
            return names
        }
        #expect(names(whole: true) == ["ann", "Ann", "Zed", "Hidden"])
        #expect(names(whole: false) == ["Zed", "Hidden", "Ann", "ann"])
    }

    @Test func aCommitReadBackIsTheSameChanges() throws {
        var random = SplitMix64(seed: 13)
        var town = try RandomTown(&random)
        for _ in 0..<50 { try town.change(&random) }
        let changes = town.log
        let commit = Commit(time: CommitTime(at: Timestamp.epoch), by: .person(3), changes: changes)
        var read: [Change] = []
        try Commit.read(commit.payload[...]) { change, time in
            #expect(time == commit.time)
            read.append(change)
        }
        #expect(read == changes.map(\.change))
        #expect(
            String(decoding: commit.payload, as: UTF8.self).hasPrefix(#""at":"1970-01-01T00:00:00Z","by":"person:3","#))
    }

    private func expectSameResults(_ town: RandomTown, _ random: inout SplitMix64) throws {
        let page = PageRequest(number: Int(random.next() % 4) + 1, size: Int(random.next() % 9) + 1)
        let search = random.pick([nil, "a", "É", "o b", "%"])
        let category = random.pick([nil, Slug("bars"), Slug("shops"), Slug("nope")])
        let businesses = town.town.page(page, of: BusinessQuery(search: search, category: category))
        let expected = town.businesses(search: search, category: category)
        #expect(businesses.total == expected.count)
        #expect(businesses.records.map(\.value.id) == slice(expected, page))

        let types = random.pick([nil, [], [Slug("music")], [Slug("music"), Slug("nope"), Slug("sports")]])
        let now = Timestamp(clampingSeconds: Int(random.next() % 120))
        let start = Timestamp(clampingSeconds: Int(random.next() % 120))
        let range = random.pick([nil, start..<start.advanced(bySeconds: 1 + Int(random.next() % 40))])
        let business = random.pick([nil, nil, town.firstBusiness, Slug("b99")])
        let clock = EventClock.utc(now)
        var query = EventQuery(search: search, eventTypes: types, business: business, range: range, clock: clock)
        query.visible = .all
        let events = town.town.page(page, of: query)
        let expectedEvents = town.events(search: search, types: types, business: business, range: range, now: now)
        #expect(town.town.nextEventEnd(at: clock) == town.nextEnd(at: now))
        #expect(events.total == expectedEvents.count)
        #expect(events.records.map(\.value.id) == slice(expectedEvents, page))
    }

    private func slice(_ ids: [Int], _ page: PageRequest) -> [Int] {
        Array(ids.dropFirst((page.number - 1) * page.size).prefix(page.size))
    }
}

/// A town that changes at random, with its records in plain dictionaries for comparison.
struct RandomTown {
    private(set) var town = Town()
    private(set) var log: [RecordChange] = []
    private var businesses: [Int: Business] = [:]
    private var events: [Int: Event] = [:]

    init(_ random: inout SplitMix64) throws {
        for (id, slug) in ["bars", "shops"].enumerated() {
            var category = SookeModel.Category()
            (category.id, category.name, category.slug) = (id + 1, slug, Slug(slug))
            try apply(.put(AnyRecord(category)))
        }
        for (id, slug) in ["music", "sports", "fairs"].enumerated() {
            var type = EventType()
            (type.id, type.name, type.slug) = (id + 1, slug, Slug(slug))
            try apply(.put(AnyRecord(type)))
        }
    }

    mutating func change(_ random: inout SplitMix64) throws {
        let id = Int(random.next() % 60) + 1
        switch random.next() % 5 {
        case 0: try remove(.event, id)
        case 1 where !events.values.contains { $0.business == Slug("b\(id)") }: try remove(.business, id)
        case 1, 2: try putBusiness(id, &random)
        default: try putEvent(id, &random)
        }
    }

    private mutating func apply(_ change: Change) throws {
        log.append(try town.apply(change, at: nil))
    }

    private mutating func remove(_ kind: RecordKind, _ id: Int) throws {
        if kind == .event { events[id] = nil } else { businesses[id] = nil }
        try apply(.delete(kind, id: id))
    }

    private mutating func putBusiness(_ id: Int, _ random: inout SplitMix64) throws {
        var business = Business()
        (business.id, business.slug, business.name) = (id, Slug("b\(id)"), Self.name(&random))
        business.category = random.pick([nil, Slug("bars"), Slug("shops")])
        (business.latitude, business.longitude) = (48, -123)
        businesses[id] = business
        try apply(.put(AnyRecord(business)))
    }

    private mutating func putEvent(_ id: Int, _ random: inout SplitMix64) throws {
        var event = Event()
        (event.id, event.slug, event.name) = (id, Slug("e\(id)"), Self.name(&random))
        event.eventType = random.pick([Slug("music"), Slug("sports"), Slug("fairs")])
        event.business = businesses.keys.min().map { Slug("b\($0)") }
        let start = Int(random.next() % 100)
        event.startsAt = Timestamp(clampingSeconds: start)
        event.endsAt = random.pick([nil, Timestamp(clampingSeconds: start + Int(random.next() % 30))])
        event.status = random.pick([.approved, .approved, .approved, .draft, .cancelled])
        // A series of some further starts. One is left out, cancelled or moved.
        if random.next() % 3 == 0 {
            event.rdates = (0...random.next() % 3).map { _ in Self.local(Int(random.next() % 100)) }
            event.exdates = random.pick([[], [Self.local(start)]])
            var override = EventOverride()
            (override.occurrence, override.isCancelled) = (event.rdates[0], random.next() % 2 == 0)
            override.startsLocal = random.pick([nil, Self.local(Int(random.next() % 100))])
            event.overrides = random.pick([[], [override]])
        }
        var problems = FieldProblems()
        event.settle(after: nil, in: TimeZone(name: "UTC", fixedOffset: 0), &problems)
        events[id] = event
        try apply(.put(AnyRecord(event)))
    }

    private static func local(_ seconds: Int) -> LocalTime { LocalTime(clock: Timestamp(clampingSeconds: seconds)) }

    private static func name(_ random: inout SplitMix64) -> String {
        random.pick(["Zed's", "zed's", "Café", "cafe", "É 100%", "O Brien", "obrien", "Anchor"])
    }

    func businesses(search: String?, category: Slug?) -> [Int] {
        businesses.values
            .filter { $0.category != nil && (category == nil || $0.category == category) && matches($0.name, search) }
            .map { (key: NameKey(name: $0.name, id: $0.id), id: $0.id) }
            .sorted { $0.key < $1.key }
            .map(\.id)
    }

    var firstBusiness: Slug? { businesses.keys.min().map { Slug("b\($0)") } }

    func events(
        search: String?, types: [Slug]?, business: Slug?, range: Range<Timestamp>?, now: Timestamp
    ) -> [Int] {
        events.values
            .filter { event in
                let isInTime =
                    range.map { range in Self.occurrences(of: event).contains { $0.isIn(range) } }
                    ?? (!Self.occurrences(of: event).isEmpty && Self.shown(event, at: now).overAt >= now)
                return event.status == .approved && isInTime && types?.contains(event.eventType) != false
                    && matches(event.name, search) && (business == nil || event.business == business)
            }
            .map { (start: Self.shown($0, at: now).startsAt.microseconds, id: $0.id) }
            .sorted { $0 < $1 }
            .map(\.id)
    }

    func nextEnd(at now: Timestamp) -> Timestamp? {
        events.values.filter { $0.status == .approved && !Self.occurrences(of: $0).isEmpty }
            .map { Self.shown($0, at: now).overAt }
            .filter { $0 >= now }.min()
    }

    /// The next occurrence or one in progress that is not cancelled, else the last one of these, else the last one.
    private static func shown(_ event: Event, at now: Timestamp) -> Occurrence {
        let all = occurrences(of: event)
        let held = all.filter { !$0.isCancelled }
        return held.first { $0.overAt >= now } ?? held.last ?? all.last ?? single(event)
    }

    private static func single(_ event: Event) -> Occurrence {
        event.first ?? Occurrence(startsAt: .epoch, endsAt: nil)
    }

    /// The occurrences of an event whose series has no rule, by start.
    private static func occurrences(of event: Event) -> [Occurrence] {
        let single = single(event)
        guard event.hasSeries else { return [single] }
        let starts = Set(event.rdates.map(\.clock) + [single.startsAt]).subtracting(event.exdates.map(\.clock))
        let found = starts.map { original in
            let override = event.overrides.first { $0.occurrence?.clock == original }
            let start = override?.startsLocal?.clock ?? original
            let end = single.endsAt.map {
                Timestamp(microseconds: start.microseconds + $0.microseconds - single.startsAt.microseconds)
            }
            return Occurrence(
                startsAt: start, endsAt: end, overAt: end ?? Timestamp(clampingSeconds: 4 * 3600), original: original,
                isCancelled: override?.isCancelled ?? false)
        }
        return found.sorted { ($0.startsAt, $0.original) < ($1.startsAt, $1.original) }
    }

    private func matches(_ name: String, _ search: String?) -> Bool {
        guard let search else { return true }
        return CaseFolding.contains(CaseFolding.fold(name), CaseFolding.fold(search))
    }
}
