import Bytes
import Glibc
import SookeModel
import Testing

@testable import API
@testable import Service
@testable import Store

/// A random town with random clients of its feed: whoever has caught up has exactly what a fresh snapshot gives.
///
/// `SOOKE_FEED_STEPS=100000 swift test --filter FeedModelTests` makes the long run, of many lives;
/// `SOOKE_FEED_SEED=7 swift test --filter FeedModelTests` repeats the life with the seed that a failure names.
@Suite struct FeedModelTests {
    static let steps = environment("SOOKE_FEED_STEPS") ?? 400
    static let seed = environment("SOOKE_FEED_SEED")
    private static let stepsOfALife = min(steps, 1_000)

    /// What every run must contain, and how often in 1,000 steps; in the few of `swift test`, whose seed is always the same,
    /// at least once.
    private static let paths = [
        "comparisons": 300, "restarts": 2, "restores": 2, "repairs with losses": 2, "snapshots": 10, "bursts": 1,
        "resets": 50, "revocations": 5, "slow clients": 5, "bookmarks": 10, "expired logins": 10,
        "resumed streams": 50, "streams that were revoked": 2, "wake-ups": 10,
        "from a position: unknown": 2, "from a position: ahead of the town": 2, "from a position: foreign": 5,
        "from a position: too old": 2, "from a position: memory": 50,
    ]

    @Test func everyClientBuildsWhatItMaySee() async throws {
        var counts: [String: Int] = [:]
        let lives = max(1, Self.steps / Self.stepsOfALife)
        let first = Self.seed ?? 1
        for seed in first..<first + lives {
            var run = try FeedModelRun(seed: UInt64(seed))
            do {
                try await run.run(steps: Self.stepsOfALife)
            } catch {
                Issue.record("SOOKE_FEED_SEED=\(seed), step \(run.step): \(error)")
            }
            counts.merge(run.town.counts, uniquingKeysWith: +)
            counts["steps", default: 0] += run.step
        }
        if lives > 1 { print("feed model: \(counts.sorted { $0.key < $1.key }.map { "\($0) \($1)" })") }
        guard Self.seed == nil || lives > 1 else { return }
        for (path, least) in Self.paths {
            #expect(counts[path, default: 0] >= max(1, least * Self.stepsOfALife / 1_000), "\(path)")
        }
    }

    private static func environment(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}

/// One random run.
struct FeedModelRun {
    let town: FeedModelTown
    private(set) var step = 0
    private var random: SplitMix64
    private var clients: [FeedModelClient] = []
    private static let clientCount = 10

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        town = try FeedModelTown()
    }

    mutating func run(steps: Int) async throws {
        while step < steps {
            step += 1
            try await changeTown()
            try await settle()
            renewClients()
            for _ in 0..<2 {
                let client = random.pick(clients)
                switch random.below(80) {
                case 0...9: client.disconnect()
                case 10...49: try await client.lag(town)
                case 50...51: client.garble()
                default: try await compare(client)
                }
                try await settle()
            }
            if random.once(in: 40) {
                try await wakeAll()
                try await settle()
            }
        }
        for client in clients { try await compare(client) }
        try await end { try await $0.finish() }
    }

    /// Waits until the feed has exactly the clients with streams.
    private func settle() async throws {
        town.service.feed.publish()
        let expected = clients.count(where: \.isConnected)
        try await town.wait(for: "\(expected) followers") { [town] in
            town.service.feed.statistics(at: 0).followers == expected
        }
    }

    private mutating func changeTown() async throws {
        switch random.below(150) {
        case 0: try await end { try await $0.restart() }
        case 1:
            let commits = random.below(30)
            try await end { try await $0.restore(commits) }
        case 2:
            var random = random
            try await end { try await $0.repair(&random) }
            self.random = random
        case 3...8:
            try await town.store.snapshot()
            town.count("snapshots")
        case 9...30: town.clock.advance(bySeconds: random.pick([1, 16, 16, 60, 301, 2400]))
        case 31...50: try await revoke()
        case 51...58: break
        case 59: if random.once(in: 2) { try await burst() }
        default:
            var steps = FeedModelSteps(random: random, town: town.store.current.town)
            let transaction = steps.transaction()
            random = steps.random
            try await town.write(transaction)
        }
    }

    /// More commits, or more bytes, than are kept in memory.
    private mutating func burst() async throws {
        town.count("bursts")
        if random.once(in: 2) {
            try await town.burst(1_001) { try $1.upsert(.category, #"{"slug":"burst","name":"Burst \#($0)"}"#) }
        } else {
            let words = String(repeating: "word ", count: 900)
            try await town.burst(120) {
                try $1.upsert(.category, #"{"slug":"burst","name":"Burst"}"#)
                try $1.upsert(
                    .business,
                    #"{"slug":"burst","name":"Burst","category":"burst","description":"\#(words)\#($0)","#
                        + #""address":"1 A","latitude":48,"longitude":-123.5}"#)
            }
        }
    }

    /// The server stops, and all streams end.
    private func end(_ change: (FeedModelTown) async throws -> Void) async throws {
        for client in clients { client.disconnect() }
        try await change(town)
    }

    private mutating func revoke() async throws {
        let ids = town.store.current.town.credentials.inOrderOfID.map(\.id)
        guard let id = ids.randomElement(using: &random) else { return }
        try await town.write([{ $0.deleteCredential(id) }])
    }

    /// Replaces clients whose account is gone.
    private mutating func renewClients() {
        let community = town.store.current.town
        clients.removeAll { !$0.account.exists(in: community) }
        while clients.count < Self.clientCount { clients.append(FeedModelClient(&random, community)) }
        let index = random.below(clients.count)
        if random.once(in: 50) { clients[index] = FeedModelClient(&random, community) }
    }

    /// Every stream that waits is woken by a commit.
    private mutating func wakeAll() async throws {
        let waiting = clients.filter { $0.way == .events }
        for client in waiting { try await compare(client) }
        let position = town.store.current.position
        try await town.write([{ try $0.upsert(.category, #"{"name":"Woken"}"#) }])
        try await town.write([
            { transaction in
                if let category = transaction.town.categories[Slug("woken")]?.value {
                    try transaction.delete(category)
                }
            }
        ])
        guard town.store.current.position != position else { return }
        for client in waiting where client.isConnected {
            await client.wake()
            town.count("wake-ups")
        }
    }

    private mutating func compare(_ client: FeedModelClient) async throws {
        let bookmarks = client.replica.bookmarks
        try await client.catchUp(town)
        town.count("bookmarks", client.replica.bookmarks - bookmarks)
        let fresh = try await client.fresh(town)
        town.count("comparisons")
        if let problem = client.replica.problems.first { throw client.failure(problem) }
        for key in Set(fresh.records.keys).union(client.replica.records.keys).sorted()
        where fresh.records[key] != client.replica.records[key] {
            let (expected, found) = (fresh.records[key] ?? "nothing", client.replica.records[key] ?? "nothing")
            throw client.failure("\(key) is\n\(found.prefix(600))\nand not\n\(expected.prefix(600))")
        }
        try compareVisible(fresh, client)
    }

    /// The snapshot has the records that other routes show to the client.
    private func compareVisible(_ fresh: FeedReplica, _ client: FeedModelClient) throws {
        guard client.topics == nil, let caller = client.caller(in: town) else { return }
        let community = town.store.current.town
        var expected: Set<FeedReplica.Key> = []
        for business in community.businesses.inOrderOfID where business.isVisible(to: caller, in: community) {
            expected.insert(.init(kind: "business", id: business.id))
        }
        for event in community.events.inOrderOfID where event.value.isVisible(to: caller, in: community) {
            expected.insert(.init(kind: "event", id: event.id))
        }
        for term in community.categories.inOrderOfID { expected.insert(.init(kind: "category", id: term.id)) }
        for term in community.eventTypes.inOrderOfID { expected.insert(.init(kind: "event_type", id: term.id)) }
        if Set(fresh.records.keys) != expected { throw client.failure("a snapshot has other records") }
    }
}
