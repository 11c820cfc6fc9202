import Foundation
import Observation
import SookeClient
import ViewTree

/// One of the two lists of the town, and what a person wants of it; kept while the other list is shown.
@MainActor @Observable final class RecordList {
    enum Kind { case businesses, events }

    let kind: Kind
    var searchText = ""
    var isOpenOnly = false { didSet { selection = nil } }
    /// The selected record; without it the first one is.
    var selection: Int64?
    private var group: Int64?

    init(_ kind: Kind) {
        self.kind = kind
    }

    struct Group: Identifiable {
        let id: Int64
        let name: String
        let slug: String
    }

    func groups(in town: LiveTown) -> [Group] {
        switch kind {
        case .businesses: town.replica.categories.map { Group(id: $0.id, name: $0.name, slug: $0.slug) }
        case .events: town.replica.eventTypes.map { Group(id: $0.id, name: $0.name, slug: $0.slug) }
        }
    }

    /// The selected category or type, as it is now; nil for all.
    func group(in town: LiveTown) -> Group? { group.flatMap { id in groups(in: town).first { $0.id == id } } }

    func select(_ group: Int64?) {
        (self.group, searchText, selection) = (group, "", nil)
    }

    func isNarrowed(in town: LiveTown) -> Bool { !searchText.isEmpty || isOpenOnly || group(in: town) != nil }

    /// The best match of a search is the first.
    func rows(in town: LiveTown) -> [RecordRow] {
        let (replica, now, clock) = (town.replica, town.moment, TownClock(of: town.replica))
        let group = group(in: town)?.slug
        switch kind {
        case .businesses:
            let found = replica.businesses(about: searchText, category: group, at: now)
            return found.filter { !isOpenOnly || $0.openState?.isOpen == true }.map { RecordRow($0, clock) }
        case .events:
            var day = ""
            return replica.events(about: searchText, type: group, at: now).map { event in
                let row = RecordRow(event, clock, after: day)
                if let begun = row.day, !begun.isEmpty { day = begun }
                return row
            }
        }
    }

    /// Found by its ID, also when its slug has changed.
    func record(_ id: Int64, in town: LiveTown) -> RecordText? {
        let (replica, now, clock) = (town.replica, town.moment, TownClock(of: town.replica))
        return switch kind {
        case .businesses:
            replica.business(id: id, at: now).map { RecordText($0, clock, replica.settings?.currency, at: now) }
        case .events: replica.event(id: id, at: now).map { RecordText($0, clock) }
        }
    }
}

extension RecordList {
    func title(in town: LiveTown) -> String {
        group(in: town)?.name ?? (kind == .businesses ? "Businesses" : "Events")
    }

    func count(_ found: [RecordRow], in town: LiveTown) -> String {
        let (rows, unsure) = (found.count, found.count { $0.state?.isUnconfirmed ?? false })
        if isOpenOnly { return "\(rows) open now" + (unsure > 0 ? ", \(unsure) not confirmed" : "") }
        if isNarrowed(in: town) { return "\(rows) found" }
        switch kind {
        case .businesses: return rows == 1 ? "1 business" : "\(rows) businesses"
        case .events: return rows == 1 ? "1 event" : "\(rows) events"
        }
    }

    var groupName: String { kind == .businesses ? "category" : "type" }
    var titleOfGroups: String { kind == .businesses ? "Categories" : "Types of events" }
    var textOfAllGroups: String { kind == .businesses ? "all categories" : "all types" }

    func textOfEmpty(in town: LiveTown) -> String {
        if isNarrowed(in: town) { return "Nothing found. Try fewer letters, or another category." }
        return town.replica.position != nil ? "Nothing here yet." : Self.waiting
    }

    func textOfMissing(in town: LiveTown) -> String {
        if town.replica.position == nil { return Self.waiting }
        return kind == .businesses
            ? "This business is no longer in the directory." : "This event is no longer in the calendar."
    }

    private static let waiting = "Waiting for the town …"
}
