import Bytes

/// Up to some hundred folded names in one text.
struct NameChunk: OrderedChunk {
    /// The names, each followed by `separator`.
    private var text: [UInt8] = []
    /// The end of each name, including its separator.
    private var ends: [UInt32] = []
    /// The IDs of the businesses that have the names.
    private(set) var handles: [Int] = []

    /// A byte that does not occur in UTF-8.
    private static let separator: UInt8 = 0xFF

    static func handle(of record: BusinessRecord) -> Int { record.id }

    mutating func insert(_ record: BusinessRecord, at position: Int) {
        let name = record.foldedName + [Self.separator]
        let start = start(of: position)
        text.insert(contentsOf: name, at: start)
        handles.insert(record.id, at: position)
        ends.insert(UInt32(start), at: position)
        for index in position..<ends.count { ends[index] += UInt32(name.count) }
    }

    mutating func remove(at position: Int) {
        let (start, end) = (start(of: position), ends[position])
        text.removeSubrange(start..<Int(end))
        handles.remove(at: position)
        ends.remove(at: position)
        for index in position..<ends.count { ends[index] -= end - UInt32(start) }
    }

    mutating func split() -> NameChunk {
        let middle = handles.count / 2
        let start = start(of: middle)
        var half = NameChunk()
        half.text = Array(text[start...])
        half.handles = Array(handles[middle...])
        half.ends = ends[middle...].map { $0 - UInt32(start) }
        text.removeSubrange(start...)
        handles.removeSubrange(middle...)
        ends.removeSubrange(middle...)
        return half
    }

    /// A copy without spare capacity.
    var trimmed: NameChunk {
        var chunk = NameChunk()
        chunk.text = Array(text[...])
        chunk.handles = Array(handles[...])
        chunk.ends = Array(ends[...])
        return chunk
    }

    /// Calls a function with the ID of each business whose name matches, in order.
    func forEachMatch(of search: ByteSearch, _ body: (Int) -> Void) {
        var name = 0
        search.forEachMatch(in: text.span) { match in
            guard match < text.count else { return .max }
            while ends[name] <= match { name += 1 }
            body(handles[name])
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
