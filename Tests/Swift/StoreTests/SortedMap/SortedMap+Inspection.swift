@testable import Store

extension SortedMap {
    var chunks: [Chunk] { lists.flatMap(\.self) }

    /// The violated invariants; empty for a valid map. Costs O(n).
    func checkInvariants() -> [String] {
        var faults: [String] = []
        if lists.contains(where: \.isEmpty) { faults.append("empty list") }
        if lists.contains(where: { $0.count > Self.capacity }) { faults.append("overfull list") }
        if chunks.contains(where: \.isEmpty) { faults.append("empty chunk") }
        if chunks.contains(where: { $0.count > Self.capacity }) { faults.append("overfull chunk") }
        let keys = chunks.flatMap { $0.map(\.key) }
        if count != keys.count { faults.append("count is not the number of elements") }
        if !zip(keys, keys.dropFirst()).allSatisfy(<) { faults.append("keys out of order") }
        return faults
    }

    /// The addresses of the chunks and their lists, which show what two versions share.
    func addresses() -> Set<Int> {
        Set(chunks.map { chunk in chunk.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } })
            .union(lists.map { list in list.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } })
    }
}
