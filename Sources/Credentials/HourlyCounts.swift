/// Counts events by key over the last hour, in a fixed amount of memory.
///
/// Clients cannot fill it and evict other keys: each key has one of 16,384 slots, by a hash that is unpredictable
/// outside the process, and keys in one slot are counted together. So a count may be too high, and is never too low. A
/// hash of a password takes 15 ms: one thread does 240,000 in an hour, 15 per slot.
///
/// Time passes in steps of six minutes: an event counts for at least an hour and at most 66 minutes.
struct HourlyCounts<Key: Hashable & Sendable>: Sendable {
    private struct Place: Sendable {
        /// The events of the last eleven steps, each at the index of its step modulo eleven.
        var counts = InlineArray<11, UInt8>(repeating: 0)
        /// The newest step that is counted.
        var step: Int32 = 0
    }

    private static var steps: Int { 11 }
    private static var placeCount: Int { 16_384 }
    private static var stepLength: Int { 360 * 1_000_000_000 }

    /// Empty until the first event.
    private var places: [Place] = []

    /// `now` is nanoseconds and never goes back.
    mutating func add(_ key: Key, now: Int) {
        if places.isEmpty { places = Array(repeating: Place(), count: Self.placeCount) }
        let (index, step) = (Self.index(of: key), now / Self.stepLength)
        places[index] = Self.moved(places[index], to: step)
        let slot = step % Self.steps
        if places[index].counts[slot] < .max { places[index].counts[slot] += 1 }
    }

    mutating func remove(_ key: Key, now: Int) {
        guard !places.isEmpty else { return }
        let (index, step) = (Self.index(of: key), now / Self.stepLength)
        places[index] = Self.moved(places[index], to: step)
        for age in 0..<min(Self.steps, step + 1) where places[index].counts[(step - age) % Self.steps] > 0 {
            places[index].counts[(step - age) % Self.steps] -= 1
            return
        }
    }

    /// Nanoseconds until a key has fewer events than a limit; 0 when it has fewer now.
    func delay(_ key: Key, limit: Int, now: Int) -> Int {
        guard !places.isEmpty else { return 0 }
        let step = now / Self.stepLength
        let place = Self.moved(places[Self.index(of: key)], to: step)
        var count = place.counts.indices.reduce(0) { $0 + Int(place.counts[$1]) }
        guard count >= limit else { return 0 }
        for age in stride(from: min(Self.steps - 1, step), through: 0, by: -1) {
            count -= Int(place.counts[(step - age) % Self.steps])
            if count < limit { return (step - age + Self.steps) * Self.stepLength - now }
        }
        return Self.steps * Self.stepLength
    }

    /// A slot at a later step, without events older than eleven steps.
    private static func moved(_ place: Place, to step: Int) -> Place {
        var place = place
        let passed = step - Int(place.step)
        guard passed > 0 else { return place }
        for age in 0..<min(passed, steps) { place.counts[(step - age) % steps] = 0 }
        place.step = Int32(truncatingIfNeeded: step)
        return place
    }

    private static func index(of key: Key) -> Int {
        // Swift's hash has a random seed for each process.
        Int(truncatingIfNeeded: UInt(bitPattern: key.hashValue) % UInt(placeCount))
    }
}
