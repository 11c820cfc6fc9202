/// A seeded random number generator (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator with a seed: the same seed gives the same numbers on every machine.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 to `bound` - 1, with a slight modulo bias.
    public mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 33) % bound
    }

    /// True with probability 1 / `count`.
    public mutating func once(in count: Int) -> Bool {
        below(count) == 0
    }

    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
