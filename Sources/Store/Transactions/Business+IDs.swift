import SookeModel

/// The numbers of a business's parts: its rows of hours, its menus and their items.
extension Business {
    /// Gives numbers to the parts that bring none: that of the same part before the change, or the next one.
    ///
    /// The same part is the row of the same day, the menu of the same name, the item of the same name in it; of
    /// several, each is taken once, in order.
    mutating func assignPartIDs(of existing: Business?, _ sequences: inout IDSequences) {
        // The numbers that it brings are not given to its other parts.
        sequences.recordParts(of: self)
        hours.assignIDs(likeIn: existing?.hours ?? []) { sequences.next(.hours) }
        menus.assignIDs(likeIn: existing?.menus ?? []) { sequences.next(.menu) }
        for index in menus.indices where menus[index].items.contains(where: { $0.id == 0 }) {
            let before = existing?.menus.first { $0.id == menus[index].id }
            menus[index].items.assignIDs(likeIn: before?.items ?? []) { sequences.next(.item) }
        }
    }

    /// Puts the parts into the order in which they are kept: hours by day, menus and items by number.
    mutating func putInOrder() {
        // They mostly are, and to write to an array that is shared with the record before the change copies it.
        if !hours.isAscending(by: \.dayOfWeek) { hours.sort { $0.dayOfWeek < $1.dayOfWeek } }
        if !menus.isAscending(by: \.id) { menus.sort { $0.id < $1.id } }
        for index in menus.indices where !menus[index].items.isAscending(by: \.id) {
            menus[index].items.sort { $0.id < $1.id }
        }
    }
}

/// A part of a business that has a number.
private protocol IdentifiedPart {
    var id: Int { get set }
    /// What makes a part the same as one before a change; compared by bytes.
    var likeness: ByteText { get }
}

extension DayHours: IdentifiedPart {
    fileprivate var likeness: ByteText { ByteText("\(dayOfWeek)") }
}

extension Menu: IdentifiedPart {
    fileprivate var likeness: ByteText { ByteText(name) }
}

extension MenuItem: IdentifiedPart {
    fileprivate var likeness: ByteText { ByteText(name) }
}

extension Array where Element: IdentifiedPart {
    fileprivate mutating func assignIDs(likeIn before: [Element], _ next: () -> Int) {
        guard contains(where: { $0.id == 0 }) else { return }
        let brought = Set(map(\.id))
        var free: [ByteText: [Int]] = [:]
        for part in before.reversed() where !brought.contains(part.id) {
            free[part.likeness, default: []].append(part.id)
        }
        for index in indices where self[index].id == 0 {
            self[index].id = free[self[index].likeness]?.popLast() ?? next()
        }
    }
}
