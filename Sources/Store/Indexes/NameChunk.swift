import Bytes

/// Some hundred folded names, one behind the other.
struct NameChunk: Sendable {
    /// Each name with `separator` behind it.
    private var text: [UInt8] = []
    /// Where each name ends, its separator included.
    private var ends: [UInt32] = []
    /// The IDs of the businesses whose names they are.
    private(set) var ids: [Int] = []
    /// What stands in the names; of those taken out too, up to the next split.
    private var groups = LetterGroups()

    /// A byte that no UTF-8 text has.
    private static let separator: UInt8 = 0xFF

    /// Where the name of a key stands, or belongs: the index of the first that is not below it.
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
        groups.insert(name)
        ends.insert(UInt32(start), at: position)
        for index in position..<ends.count { ends[index] += UInt32(name.count) }
    }

    /// Takes a name out; nothing when that of another business stands there.
    mutating func remove(at position: Int, id: Int) {
        guard position < ids.count, ids[position] == id else { return }
        let (start, end) = (start(of: position), ends[position])
        text.removeSubrange(start..<Int(end))
        ids.remove(at: position)
        ends.remove(at: position)
        for index in position..<ends.count { ends[index] -= end - UInt32(start) }
    }

    /// The second half, which is no longer here then.
    mutating func split() -> NameChunk {
        let middle = ids.count / 2
        let start = start(of: middle)
        var half = NameChunk()
        half.text = Array(text[start...])
        half.ids = Array(ids[middle...])
        half.ends = ends[middle...].map { $0 - UInt32(start) }
        half.groups.insert(half.text)
        text.removeSubrange(start...)
        ids.removeSubrange(middle...)
        ends.removeSubrange(middle...)
        groups = LetterGroups()
        groups.insert(text)
        return half
    }

    /// The same without room for more.
    var trimmed: NameChunk {
        var chunk = NameChunk()
        chunk.text = Array(text[...])
        chunk.ids = Array(ids[...])
        chunk.ends = Array(ends[...])
        chunk.groups = groups
        return chunk
    }

    /// Whether any name here may hold a text of some groups.
    func mayHold(_ wanted: [Int]) -> Bool { groups.mayHold(wanted) }

    /// Tells the ID of each business whose name holds what is looked for, in order.
    func forEachMatch(of search: ByteSearch, _ body: (Int) -> Void) {
        var name = 0
        search.forEachMatch(in: text.span) { match in
            guard match < text.count else { return .max }
            while ends[name] <= match { name += 1 }
            body(ids[name])
            return Int(ends[name])
        }
    }

    /// How many names hold what is looked for.
    func matchCount(of search: ByteSearch) -> Int {
        search.countParts(of: text.span, endedBy: Self.separator)
    }

    private func start(of position: Int) -> Int {
        position == 0 ? 0 : Int(ends[position - 1])
    }
}
