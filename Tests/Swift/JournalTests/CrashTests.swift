import Glibc
import Testing

@testable import Journal

/// Random histories of a store on the simulated disk.
///
/// `Tests/Binary/Faults/proof` makes the long run, of a million states;
/// `SOOKE_CRASH_SEED=98 swift test --filter CrashTests` repeats one history and prints it.
@Suite struct CrashTests {
    static let states = environment("SOOKE_CRASH_STATES") ?? 640
    static let seed = environment("SOOKE_CRASH_SEED")
    private static let statesOfALife = 40

    /// Two runs, for two cores. The second one drops old history, as a server does.
    @Test(arguments: [0, 1])
    func everyAnsweredCommitSurvives(lane: Int) throws {
        if let seed = Self.seed {
            guard lane == seed % 2 else { return }
            var run = CrashRun(seed: UInt64(seed), options: Self.options(lane))
            return try run.run(states: Self.statesOfALife)
        }
        let lives = Array(stride(from: lane, to: max(2, Self.states / Self.statesOfALife), by: 2))
        for life in lives {
            var run = CrashRun(seed: UInt64(life), options: Self.options(lane))
            try run.run(states: Self.statesOfALife)
        }
    }

    /// The simulator is useful only if it finds mistakes: each of these is one that other programs have made. The first
    /// life that finds it is known.
    @Test(
        .enabled(if: seed == nil, "a single life is looked at"),
        arguments: [
            ("no sync before the answer", JournalOptions.small.with { $0.failpoints = .acknowledgeBeforeSync }, 0),
            ("rename before sync", .small.with { $0.failpoints = .renameBeforeSync }, 15),
            ("cut by length", .small.with { $0.failpoints = .cutByLength }, 6),
            // Without reserved space, whose zeros would reveal the mistake at the first start.
            (
                "trust in the page cache",
                .small.with {
                    $0.failpoints = .trustPageCache
                    $0.reservedBytes = 0
                }, 0
            ),
            ("batches that share sectors", .small.with { $0.sectorBytes = 1 }, 0),
        ])
    func everyDeliberateMistakeIsFound(name: String, options: JournalOptions, life: UInt64) {
        for seed in life..<UInt64(200) {
            var run = CrashRun(seed: seed, options: options)
            guard (try? run.run(states: Self.statesOfALife)) != nil else { return }
        }
        Issue.record("\(name) was not found in 200 lives")
    }

    private static func options(_ lane: Int) -> JournalOptions {
        .small.with { if lane == 1 { $0.pruning = .olderThan(0) } }
    }

    static func environment(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
