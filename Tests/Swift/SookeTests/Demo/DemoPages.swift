import Bytes
import Dispatcher
import Exchange
import Foundation
import HTTP
import Platform
import Service
import Site
import SookeModel
import Store
import TestSupport
import Testing

@testable import sooke

/// The town of the demo as it is when it begins at a time, and its pages then.
final class DemoPages {
    private(set) var now: Timestamp
    let zone: SookeModel.TimeZone
    private let clock = TestClock()
    private let folder: TemporaryFolder
    private let store: Store
    private let written: DemoTown
    private let service: TownService
    private let site: Dispatcher

    init(at now: Timestamp, in zone: SookeModel.TimeZone) async throws {
        (self.now, self.zone) = (now, zone)
        clock.set(now)
        folder = try TemporaryFolder()
        let clock = clock
        let options = StoreOptions(now: { clock.now }, onFailure: { _ in })
        store = try Store.open("\(folder.path)/town", options: options).store
        service = TownService(
            store: store, clock: clock.source, zones: TimeZones { TimeZoneDatabase().file(named: $0) }, zone: zone)
        site = Dispatcher(Site(service), service: service, crossOrigin: CrossOrigin(allowing: []))
        written = try await store.write(by: .local) { transaction in
            try DemoTown.fill(&transaction, now: now, zone: zone)
            var other = transaction
            for event in transaction.town.events.inOrderOfID { try other.deleteEvent(event.id) }
            return try DemoTown(into: &other)
        }.result
    }

    /// Begins again at a later time, without the import: it takes longer than all else.
    func begin(at now: Timestamp) async throws {
        let (written, zone) = (written, zone)
        self.now = now
        clock.set(now)
        _ = try await store.write(by: .local) { transaction in
            try written.begin(in: &transaction, now: now, zone: zone)
        }
    }

    /// Adds the calendars, and merges what they have now; what is left out.
    func pull() async throws -> [String] {
        let (now, zone) = (now, zone)
        return try await store.write(by: .local) { transaction in
            try DemoCalendars.add(to: &transaction, at: "http://127.0.0.1:8080", now: now)
            var leftOut: [String] = []
            for (calendar, file) in zip(transaction.town.calendars.inOrderOfID, DemoCalendars.files) {
                let town = transaction.town
                let answer = PulledAnswer(
                    Array(file.text.utf8), of: calendar, in: town, at: now, ImportOptions(zone: zone))
                let clock = EventClock(now: now, zone: zone) { _ in nil }
                let merge = CalendarMerge(try #require(answer).events, of: calendar, in: town, at: clock)
                _ = transaction.apply(merge.changes)
                leftOut += answer?.leftOut.map(\.description) ?? []
            }
            return leftOut
        }.result
    }

    var town: Town { store.current.town }
    var today: CivilDate { zone.localDate(at: now).date }

    /// The text of a page.
    func page(_ target: String) async throws -> String {
        String(decoding: await site.response(to: try Request(.get, target)).body, as: UTF8.self)
    }

    /// An event of the town; nil when it has none.
    func event(_ slug: String) -> Event? { town.events[Slug(slug)]?.value }

    /// The date on which an event begins.
    func date(of event: Event?) -> CivilDate? { event?.startsAt.map { zone.localDate(at: $0).date } }
}

/// The events on a page, by their addresses.
struct EventsOnPage {
    private(set) var all: [String] = []
    private(set) var cancelled: [String] = []
    /// Those that are on on the first day, if that is today, also for more than a week.
    private(set) var today: [String] = []

    init(_ page: String) {
        let days = page.components(separatedBy: "<section class=\"day\"").dropFirst()
        for (index, day) in days.enumerated() {
            for row in day.components(separatedBy: "class=\"row timed").dropFirst() {
                let link = row.components(separatedBy: "href=\"/events/").dropFirst().first
                let slug = link?.prefix { !"\"/".contains($0) }
                let isCancelled = row.hasPrefix(" off")
                guard let slug = slug.map(String.init) else { continue }
                if isCancelled { cancelled.append(slug) } else { all.append(slug) }
                let isOn = day.contains(">Today</b>") || index == 0 && day.contains(">All week</b>")
                if !isCancelled, isOn { today.append(slug) }
            }
        }
    }
}
