/// A set of IDs: bits, because those of a town are assigned in ascending order. An import may bring large ones.
package struct IDSet: Sendable {
    private var bits: [UInt64] = []
    private var large: Set<Int> = []
    private static let bound = 1 << 20

    package init(_ ids: some Sequence<Int>) {
        for id in ids {
            guard 0..<Self.bound ~= id else {
                large.insert(id)
                continue
            }
            while bits.count <= id >> 6 { bits.append(0) }
            bits[id >> 6] |= 1 << UInt64(id & 63)
        }
    }

    package func contains(_ id: Int) -> Bool {
        guard 0..<Self.bound ~= id else { return large.contains(id) }
        return id >> 6 < bits.count && bits[id >> 6] & 1 << UInt64(id & 63) != 0
    }
}
