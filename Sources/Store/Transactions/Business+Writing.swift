import Bytes
import SookeModel

extension Business: SluggedRecord {
    package typealias Stored = BusinessRecord

    /// The business with an ID: at once, because most writes are of businesses.
    package static func stored(_ id: Int, in town: Town) -> BusinessRecord? { town.businesses[id] }

    package static func find(_ slug: Slug, in town: Town) -> Business? { town.businesses[slug]?.value }

    package static func id(of slug: Slug, in town: Town) -> Int? { town.businesses[slug]?.id }

    package static func id(formerly slug: Slug, in town: Town) -> Int? {
        town.businesses[formerly: slug]?.id
    }

    package mutating func addFormerSlug(of existing: Business) {
        guard slug != existing.slug else { return }
        formerSlugs.removeAll { $0 == slug }
        formerSlugs.appendFormer(existing.slug)
    }

    /// `/admin/businesses/new` is the page for a new one.
    package func isReserved(_ slug: Slug, in town: Town) -> Bool { slug == Slug("new") }

    package func checkGivenIDs(_ problems: inout FieldProblems) {
        IDRules.check(given: id, "id", &problems)
        checkGivenPartIDs(&problems)
    }

    package mutating func assignIDs(after existing: Business?, _ sequences: inout IDSequences) {
        assignPartIDs(of: existing, &sequences)
        sortParts()
    }

    /// Refuses a business that is too large, or has several menus of one name. One that already was or had so may be
    /// changed, as long as its menus do not become larger and no more of them share a name.
    package func checkChange(after existing: Business?, _ problems: inout FieldProblems) {
        let limit = AccountLimits.standard.businessBytes
        let size = written.count
        if size > limit, existing.map({ isGrown(to: size, from: $0) }) ?? true {
            problems.add("menus", "make the business \(size) bytes large, at most \(limit) are allowed")
        }
        guard menus.count > 1 else { return }
        var counts: [ByteText: Int] = [:]
        for (index, menu) in menus.enumerated() {
            let count = counts[ByteText(menu.name), default: 0] + 1
            counts[ByteText(menu.name)] = count
            if count > 1, count > existing?.menus.count(where: { $0.name.hasSameBytes(as: menu.name) }) ?? 0 {
                problems.add("menus[\(index)].name", "is the name of another menu of this business")
            }
        }
    }

    /// It was within the limit before, or its menus have changed.
    private func isGrown(to size: Int, from existing: Business) -> Bool {
        let before = existing.written.count
        return size > before && (before <= AccountLimits.standard.businessBytes || !hasSame("menus", as: existing))
    }
}

extension Business {
    /// A part without an ID gets the ID of the matching part before the change (the row of the same day, the menu of
    /// the same name, the item of the same name in that menu), or the next one. When several match, each is used once,
    /// in order.
    mutating func assignPartIDs(of existing: Business?, _ sequences: inout IDSequences) {
        // Other parts must not get the IDs that the client gave.
        sequences.recordParts(of: self)
        hours.assignIDs(matching: existing?.hours ?? []) { sequences.next(.hours) }
        menus.assignIDs(matching: existing?.menus ?? []) { sequences.next(.menu) }
        for index in menus.indices where menus[index].items.contains(where: { $0.id == 0 }) {
            let before = existing?.menus.first { $0.id == menus[index].id }
            menus[index].items.assignIDs(matching: before?.items ?? []) { sequences.next(.item) }
        }
    }

    func checkGivenPartIDs(_ problems: inout FieldProblems) {
        for (index, day) in hours.enumerated() { IDRules.check(given: day.id, "hours[\(index)].id", &problems) }
        for (index, menu) in menus.enumerated() {
            IDRules.check(given: menu.id, "menus[\(index)].id", &problems)
            for (place, item) in menu.items.enumerated() {
                IDRules.check(given: item.id, "menus[\(index)].items[\(place)].id", &problems)
            }
        }
    }

    mutating func sortParts() {
        sortHours()
        if !menus.isAscending(by: \.id) { menus.sort { $0.id < $1.id } }
        for index in menus.indices where !menus[index].items.isAscending(by: \.id) {
            menus[index].items.sort { $0.id < $1.id }
        }
    }
}

private protocol IdentifiedPart {
    var id: Int { get set }
    var matchKey: ByteText { get }
}

extension DayHours: IdentifiedPart {
    fileprivate var matchKey: ByteText { ByteText("\(dayOfWeek)") }
}

extension Menu: IdentifiedPart {
    fileprivate var matchKey: ByteText { ByteText(name) }
}

extension MenuItem: IdentifiedPart {
    fileprivate var matchKey: ByteText { ByteText(name) }
}

extension Array where Element: IdentifiedPart {
    fileprivate mutating func assignIDs(matching before: [Element], _ next: () -> Int) {
        guard contains(where: { $0.id == 0 }) else { return }
        if before.isEmpty {
            for index in indices where self[index].id == 0 { self[index].id = next() }
            return
        }
        let brought = Set(map(\.id))
        var free: [ByteText: [Int]] = [:]
        for part in before.reversed() where !brought.contains(part.id) {
            free[part.matchKey, default: []].append(part.id)
        }
        for index in indices where self[index].id == 0 {
            self[index].id = free[self[index].matchKey]?.popLast() ?? next()
        }
    }
}
