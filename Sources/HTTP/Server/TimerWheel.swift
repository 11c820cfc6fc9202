/// Deadlines of many connections, in ticks of an eighth of a second.
///
/// Setting, moving and clearing a deadline costs the same however many there are: each bucket is a doubly linked list
/// through flat arrays indexed by slot. A deadline that is further away than one turn waits in the last bucket of the
/// turn and is set again when that fires, so the caller must check whether a deadline has really passed.
///
/// An active connection keeps postponing its deadline. Only an earlier one is moved at once; a later one is detected
/// when the old one fires. So an ordinary request does not touch the wheel.
struct TimerWheel {
    /// Nanoseconds per tick.
    static let tick = 125_000_000
    private static let bucketCount = 512
    private static let none: Int32 = -1

    private var heads = [Int32](repeating: none, count: bucketCount)
    private var next: [Int32] = []
    private var previous: [Int32] = []
    /// The tick of each slot, -1 when it is not set.
    private var ticks: [Int] = []
    /// All ticks before this one have fired.
    private var currentTick: Int
    /// A lower bound of the ticks that are set.
    private var earliest = Int.max

    init(now: Int) {
        currentTick = now / Self.tick
    }

    /// When `expired` should be called next, in nanoseconds; `Int.max` when nothing is set.
    var nextDeadline: Int { earliest == .max ? .max : earliest * Self.tick }

    /// Ensures that `slot` fires at `deadline` or before.
    mutating func set(_ slot: Int, deadline: Int) {
        guard deadline != .max else { return }
        grow(to: slot)
        // Rounded up: a slot that fires is due.
        let due = max(deadline / Self.tick + 1, currentTick)
        let tick = min(due, currentTick + Self.bucketCount - 1)
        if ticks[slot] >= 0 {
            if ticks[slot] <= tick { return }
            clear(slot)
        }
        let bucket = tick % Self.bucketCount
        next[slot] = heads[bucket]
        previous[slot] = Self.none
        if heads[bucket] != Self.none { previous[Int(heads[bucket])] = Int32(slot) }
        heads[bucket] = Int32(slot)
        ticks[slot] = tick
        earliest = min(earliest, tick)
    }

    mutating func clear(_ slot: Int) {
        guard slot < ticks.count, ticks[slot] >= 0 else { return }
        let (before, after) = (previous[slot], next[slot])
        if before == Self.none {
            heads[ticks[slot] % Self.bucketCount] = after
        } else {
            next[Int(before)] = after
        }
        if after != Self.none { previous[Int(after)] = before }
        ticks[slot] = -1
    }

    /// Removes the slots whose tick has come and appends them to `slots`.
    mutating func takeExpired(now: Int, into slots: inout [Int]) {
        let nowTick = now / Self.tick
        guard earliest <= nowTick else {
            currentTick = max(currentTick, nowTick)
            return
        }
        let last = min(nowTick, currentTick + Self.bucketCount - 1)
        for tick in currentTick...max(currentTick, last) {
            while heads[tick % Self.bucketCount] != Self.none {
                let slot = Int(heads[tick % Self.bucketCount])
                clear(slot)
                slots.append(slot)
            }
        }
        currentTick = max(currentTick, nowTick)
        earliest = firstTick()
    }

    private func firstTick() -> Int {
        for tick in currentTick..<(currentTick + Self.bucketCount)
        where heads[tick % Self.bucketCount] != Self.none { return tick }
        return .max
    }

    private mutating func grow(to slot: Int) {
        while ticks.count <= slot {
            next.append(Self.none)
            previous.append(Self.none)
            ticks.append(-1)
        }
    }
}
