/// Up to some hundred records by slot and ID, in their order: the result of a search is made of them, without access to
/// the records.
struct SlotChunk: OrderedChunk {
    /// The slots.
    private(set) var handles: [UInt32] = []
    private var ids: [Int] = []

    init() {}

    init(_ slots: Range<Int>, id: (Int) -> Int) {
        (handles, ids) = (slots.map(UInt32.init), slots.map(id))
    }

    static func handle(of record: (slot: UInt32, id: Int)) -> UInt32 { record.slot }

    mutating func insert(_ record: (slot: UInt32, id: Int), at position: Int) {
        handles.insert(record.slot, at: position)
        ids.insert(record.id, at: position)
    }

    mutating func remove(at position: Int) {
        handles.remove(at: position)
        ids.remove(at: position)
    }

    /// Calls a function with the slot and the ID of each record, in order.
    func forEach(_ body: (UInt32, Int) -> Void) {
        for place in handles.indices { body(handles[place], ids[place]) }
    }

    mutating func split() -> SlotChunk {
        var half = SlotChunk()
        let middle = handles.count / 2
        (half.handles, half.ids) = (Array(handles[middle...]), Array(ids[middle...]))
        handles.removeSubrange(middle...)
        ids.removeSubrange(middle...)
        return half
    }
}

extension ChunkedOrder where Chunk == SlotChunk {
    /// The slots from 0 of records in the order of their keys.
    init<Record: SearchableRecord>(slotsOf records: [(Key, Record)]) {
        let starts = stride(from: 0, to: records.count, by: Self.builtCount)
        self.init(
            sorted: starts.map { start in
                let slots = start..<min(start + Self.builtCount, records.count)
                return (records[start].0, SlotChunk(slots) { records[$0].1.id })
            })
    }

    /// Calls a function with the slot and the ID of each record, in order.
    func forEach(_ body: (UInt32, Int) -> Void) {
        for (_, chunk) in chunks { chunk.forEach(body) }
    }
}
