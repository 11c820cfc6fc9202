import RadixTree
import TestSupport
import Testing

/// Random changes, compared with the same on a dictionary, and versions that are held meanwhile.
@Suite struct RadixTreePropertyTests {
    struct Run: CustomTestStringConvertible, Sendable {
        var seed: UInt64
        /// Numbers are drawn from `0..<space`, each times `step`.
        var space: Int
        var step = 1
        /// Of a hundred changes, how many put a value in; the others take one out.
        var insertions: Int

        var testDescription: String { "\(space) numbers, \(step) apart, \(insertions) % in" }
    }

    @Test(arguments: [
        Run(seed: 1, space: 40, insertions: 50),
        Run(seed: 2, space: 300, insertions: 50),
        Run(seed: 3, space: 10_000, insertions: 70),
        Run(seed: 4, space: 10_000, insertions: 20),
        Run(seed: 5, space: 500, step: 1_000_003, insertions: 50),
        Run(seed: 6, space: 500, step: 1 << 54, insertions: 50),
    ])
    func agreesWithADictionary(_ run: Run) {
        var generator = SplitMix64(seed: run.seed)
        var twin = Twin((0..<run.space / 2).lazy.map { $0 * 2 &* run.step })
        var held: [Twin] = []
        for change in 0..<20_000 {
            if change % 2_000 == 0 { held.append(twin) }
            let number = Int.random(in: 0..<run.space, using: &generator) &* run.step
            if Int.random(in: 0..<100, using: &generator) < run.insertions {
                twin.update(number)
            } else {
                twin.remove(number)
            }
        }
        twin.verify()
        for version in held { version.verify() }
    }
}
