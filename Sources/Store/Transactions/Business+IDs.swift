import SookeModel

/// The IDs of the parts of a business: its rows of hours, its menus and their items.
extension Business {
    /// Assigns IDs to the parts without one: the ID of the matching part before the change, or the next one.
    ///
    /// The matching part is the row of the same day, the menu of the same name, the item of the same name in that menu.
    /// When several match, each is used once, in order.
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

    /// Sorts the parts as they are stored: hours by day, menus and items by ID.
    mutating func sortParts() {
        // Most are sorted already, and writing to an array that is shared with the previous record copies it.
        if !hours.isAscending(by: \.dayOfWeek) { hours.sort { $0.dayOfWeek < $1.dayOfWeek } }
        if !menus.isAscending(by: \.id) { menus.sort { $0.id < $1.id } }
        for index in menus.indices where !menus[index].items.isAscending(by: \.id) {
            menus[index].items.sort { $0.id < $1.id }
        }
    }
}

/// A part of a business that has an ID.
private protocol IdentifiedPart {
    var id: Int { get set }
    /// The key by which a part matches one before a change.
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
