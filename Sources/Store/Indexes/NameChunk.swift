import Bytes

/// Up to some hundred folded names in one text.
struct NameChunk: Sendable {
    /// The names, each followed by `separator`.
    private var text: [UInt8] = []
    /// The end of each name, including its separator.
    private var ends: [UInt32] = []
    /// The IDs of the businesses that have the names.
    private(set) var ids: [Int] = []
    /// The trigrams of the names, and of those removed since the last split.
    private var trigrams = TrigramFilter()

    /// A byte that does not occur in UTF-8.
    private static let separator: UInt8 = 0xFF

    /// The index of the first name that is not below a key.
    ///
    /// - Parameter key: the key of the business with an ID.
    func position(of wanted: NameKey, key: (Int) -> NameKey?) -> Int {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) >> 1
            if let found = key(ids[middle]), found < wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insert(_ record: BusinessRecord, at position: Int) {
        let name = record.foldedName + [Self.separator]
        let start = start(of: position)
        text.insert(contentsOf: name, at: start)
        ids.insert(record.id, at: position)
        trigrams.insert(name)
        ends.insert(UInt32(start), at: position)
        for index in position..<ends.count { ends[index] += UInt32(name.count) }
    }

    /// Removes a name, unless the name at the position belongs to another business.
    mutating func remove(at position: Int, id: Int) {
        guard position < ids.count, ids[position] == id else { return }
        let (start, end) = (start(of: position), ends[position])
        text.removeSubrange(start..<Int(end))
        ids.remove(at: position)
        ends.remove(at: position)
        for index in position..<ends.count { ends[index] -= end - UInt32(start) }
    }

    /// Removes the second half of the names and returns it.
    mutating func split() -> NameChunk {
        let middle = ids.count / 2
        let start = start(of: middle)
        var half = NameChunk()
        half.text = Array(text[start...])
        half.ids = Array(ids[middle...])
        half.ends = ends[middle...].map { $0 - UInt32(start) }
        half.trigrams.insert(half.text)
        text.removeSubrange(start...)
        ids.removeSubrange(middle...)
        ends.removeSubrange(middle...)
        trigrams = TrigramFilter()
        trigrams.insert(text)
        return half
    }

    /// A copy without spare capacity.
    var trimmed: NameChunk {
        var chunk = NameChunk()
        chunk.text = Array(text[...])
        chunk.ids = Array(ids[...])
        chunk.ends = Array(ends[...])
        chunk.trigrams = trigrams
        return chunk
    }

    /// Whether a name may contain a text with some trigrams.
    func mayContain(_ wanted: [Int]) -> Bool { trigrams.mayContain(wanted) }

    /// Calls a function with the ID of each business whose name matches, in order.
    func forEachMatch(of search: ByteSearch, _ body: (Int) -> Void) {
        var name = 0
        search.forEachMatch(in: text.span) { match in
            guard match < text.count else { return .max }
            while ends[name] <= match { name += 1 }
            body(ids[name])
            return Int(ends[name])
        }
    }

    /// The number of names that match.
    func matchCount(of search: ByteSearch) -> Int {
        search.countParts(of: text.span, endedBy: Self.separator)
    }

    private func start(of position: Int) -> Int {
        position == 0 ? 0 : Int(ends[position - 1])
    }
}
