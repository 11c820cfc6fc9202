import Testing

@testable import HTTP
@testable import Platform

/// The CPU time by network, with a share of 250 ms per second, and of 400 ms of a site.
@Suite struct ProcessorTimeTests {
    private static let millisecond = 1_000_000
    private static let stranger = ClientNetwork(addressBytes: [192, 0, 2, 1])
    private static let neighbour = ClientNetwork(addressBytes: [192, 0, 2, 2])
    private static let other = ClientNetwork(addressBytes: [192, 0, 3, 1])

    private static func budget() -> ProcessorTime {
        ProcessorTime(share: .milliseconds(250), ofSite: .milliseconds(400))
    }

    /// The wait, in milliseconds, `later` milliseconds after work of `used` milliseconds.
    @Test(arguments: [
        (used: 250, later: 0, wait: 0), (251, 0, 4), (251, 4, 0), (500, 0, 1000), (500, 999, 1), (500, 1000, 0),
        (455, 0, 820), (60_000, 0, 4000), (60_000, 3999, 1),
    ])
    func aNetworkWaitsUntilItsShareIsRefilled(used: Int, later: Int, wait: Int) {
        let budget = Self.budget()
        budget.charge(used * Self.millisecond, to: Self.stranger, now: 0)
        #expect(budget.wait(of: Self.stranger, now: later * Self.millisecond) == wait * Self.millisecond)
        #expect(budget.wait(of: Self.other, now: later * Self.millisecond) == 0)
    }

    /// At any cost of a request, a network that works whenever it may uses a quarter of the time.
    @Test(arguments: [1, 20, 130, 455])
    func aNetworkUsesItsShareAtMost(cost: Int) {
        let budget = Self.budget()
        var (now, used) = (0, 0)
        while now < 60_000 {
            now += budget.wait(of: Self.stranger, now: now * Self.millisecond) / Self.millisecond + cost
            budget.charge(cost * Self.millisecond, to: Self.stranger, now: now * Self.millisecond)
            used += cost
        }
        #expect(used <= now / 4 + 250 + cost)
        #expect(used >= now / 4 - cost)
    }

    /// One that has used its share leaves something to its neighbours; many together wait, however little each has used.
    @Test(
        arguments: [
            ([stranger], 250, 0), ([stranger, neighbour], 200, 0), ([stranger, neighbour], 202, 10),
            ([stranger], 500, 250), ((0..<256).map(ofCustomer), 1, 0), ((0..<256).map(ofCustomer), 2, 280),
        ] as [([ClientNetwork], Int, Int)])
    func theNetworksOfASiteShare(networks: [ClientNetwork], used: Int, wait: Int) {
        let budget = Self.budget()
        for network in networks { budget.charge(used * Self.millisecond, to: network, now: 0) }
        for neighbour in [Self.ofCustomer(300), Self.neighbour] where networks[0].site == neighbour.site {
            let own = networks.contains(neighbour) ? max(0, used - 250) * 4 : 0
            #expect(budget.wait(of: neighbour, now: 0) == max(own, wait) * Self.millisecond)
        }
        #expect(budget.wait(of: Self.other, now: 0) == 0)
    }

    /// One of the /64 of a customer who has a /56.
    private static func ofCustomer(_ number: Int) -> ClientNetwork {
        let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 1, UInt8(number >> 8), UInt8(number & 0xFF)]
        return ClientNetwork(addressBytes: network + [UInt8](repeating: 0, count: 8))
    }
}

/// How busy a loop is.
@Suite struct LoopLoadTests {
    /// One window of turns of a millisecond, with so many microseconds of waiting in each.
    @Test(arguments: [(900, false), (500, false), (499, true), (0, true)])
    func moreThanHalfOfTheTimeIsBusy(waited: Int, isBusy: Bool) {
        var load = LoopLoad(now: 0)
        for turn in 0...250 {
            load.waited(from: turn * 1_000_000, until: turn * 1_000_000 + waited * 1000)
        }
        #expect(load.isBusy == isBusy)
    }
}

/// When memory is returned.
@Suite struct MemoryReturnTests {
    private static let mebibyte = 1 << 20
    private static let second = 1_000_000_000

    @Test(arguments: [(64, 10, true), (64, 32, true), (64, 33, false), (4, 0, true), (3, 0, false)])
    func afterMostOfItWasReleased(peak: Int, rest: Int, isDue: Bool) {
        var memory = MemoryReturn()
        #expect(memory.next == .max)
        memory.willFall(from: peak * Self.mebibyte, now: 0)
        #expect(memory.next == Self.second / 2)
        let due = [memory.next - 1, memory.next].map { memory.isDue(rest * Self.mebibyte, now: $0) }
        #expect(due == [false, isDue])
        #expect(memory.next == .max)
    }

    /// Clients that come and go, a few at a time, cost nothing.
    @Test func notWhileItStaysTheSame() {
        var memory = MemoryReturn()
        for turn in 0..<1000 {
            let now = turn * Self.second
            memory.willFall(from: 20 * Self.mebibyte, now: now)
            let isDue = memory.isDue(19 * Self.mebibyte, now: now + Self.second / 2)
            #expect(!isDue)
        }
    }
}
