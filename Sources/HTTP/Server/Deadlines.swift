/// Deadlines of many connections, in ticks of an eighth of a second.
///
/// All slots are visited when the earliest deadline has passed, so eight times a second at most, and that takes a few
/// microseconds for thousands.
///
/// An active connection keeps postponing its deadline. Only an earlier one counts at once; a later one is detected when
/// the old one fires, so the caller must check whether a deadline has really passed.
struct Deadlines {
    /// In nanoseconds.
    static let tick = 125_000_000

    /// Of each slot; `Int.max` when it is not set.
    private var ticks: [Int] = []
    /// A lower bound of the ticks that are set.
    private var earliest = Int.max

    /// When to call `takeExpired`; `Int.max` when nothing is set.
    var next: Int { earliest == .max ? .max : earliest * Self.tick }

    /// `slot` fires at `deadline` or before.
    mutating func set(_ slot: Int, deadline: Int) {
        guard deadline != .max else { return }
        while ticks.count <= slot { ticks.append(.max) }
        // Rounded up: a slot that fires is due.
        ticks[slot] = min(ticks[slot], deadline / Self.tick + 1)
        earliest = min(earliest, ticks[slot])
    }

    mutating func clear(_ slot: Int) {
        if slot < ticks.count { ticks[slot] = .max }
    }

    mutating func takeExpired(now: Int, into slots: inout [Int]) {
        let nowTick = now / Self.tick
        guard earliest <= nowTick else { return }
        earliest = .max
        for slot in ticks.indices {
            if ticks[slot] <= nowTick {
                ticks[slot] = .max
                slots.append(slot)
            } else {
                earliest = min(earliest, ticks[slot])
            }
        }
    }
}
