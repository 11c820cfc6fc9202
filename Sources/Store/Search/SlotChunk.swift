/// Up to some hundred slots of records, in the order of the records.
struct SlotChunk: OrderedChunk {
    private(set) var handles: [UInt32] = []

    init() {}

    init(_ slots: Range<Int>) {
        handles = slots.map(UInt32.init)
    }

    static func handle(of slot: UInt32) -> UInt32 { slot }

    mutating func insert(_ slot: UInt32, at position: Int) { handles.insert(slot, at: position) }

    mutating func remove(at position: Int) { handles.remove(at: position) }

    mutating func split() -> SlotChunk {
        var half = SlotChunk()
        half.handles = Array(handles[(handles.count / 2)...])
        handles.removeLast(half.handles.count)
        return half
    }
}

extension ChunkedOrder where Chunk == SlotChunk {
    /// The slots from 0 in the order of their keys.
    init(slotsOf keys: [Key]) {
        let starts = stride(from: 0, to: keys.count, by: Self.builtCount)
        self.init(
            sorted: starts.map { (keys[$0], SlotChunk($0..<min($0 + Self.builtCount, keys.count))) })
    }

    /// Calls a function with each slot, in order.
    func forEach(_ body: (UInt32) -> Void) {
        for (_, chunk) in chunks { for slot in chunk.handles { body(slot) } }
    }
}
