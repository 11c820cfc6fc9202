import Testing

@testable import Limits

@Suite struct GateTests {
    /// The limits, the sizes of those inside, and whether one more is admitted.
    @Test(arguments: [
        (3, 100, [], 100, true),
        (3, 100, [], 101, false),
        (3, 100, [10, 10], 80, true),
        (3, 100, [10, 10], 81, false),
        (3, 100, [0, 0, 0], 0, false),
        (3, 100, [100], 0, true),
        (3, 100, [100], 1, false),
    ])
    func isBounded(limit: Int, sizeLimit: Int, inside: [Int], size: Int, hasRoom: Bool) {
        let gate = Gate<String>(limit: limit, sizeLimit: sizeLimit)
        var permits = inside.map { gate.enter("a", size: $0) }
        #expect(gate.count("a") == inside.count && !permits.contains { $0 == nil })
        #expect(gate.hasRoom("a", size: size) == hasRoom)
        permits.append(gate.enter("a", size: size))
        #expect(permits.contains { $0 == nil } != hasRoom)
        // A released permit makes room.
        permits = []
        #expect(gate.count("a") == 0 && gate.hasRoom("a", size: sizeLimit))
    }

    @Test func keysHavePlacesOfTheirOwn() {
        let gate = Gate<String>()
        var first = gate.enter("a")
        #expect(gate.enter("a") == nil && gate.hasRoom("b"))
        first?.release()
        first?.release()
        first = gate.enter("a")
        #expect(gate.enter("a") == nil && gate.count("a") == 1)
        first = nil
        #expect(gate.hasRoom("a"))
    }
}
