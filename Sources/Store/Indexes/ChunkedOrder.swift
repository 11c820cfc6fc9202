import BTree

/// Up to some hundred members of an order, stored together.
protocol OrderedChunk: Sendable {
    /// What is inserted.
    associatedtype Member
    /// What is stored of a member, and leads to its key.
    associatedtype Handle: Equatable

    init()

    /// The handles of the members, in order.
    var handles: [Handle] { get }

    static func handle(of member: Member) -> Handle

    mutating func insert(_ member: Member, at position: Int)

    mutating func remove(at position: Int)

    /// Removes the second half of the members and returns it.
    mutating func split() -> Self
}

/// Members in the order of their keys, in chunks: a scan of all takes a nanosecond or two for each, and a version
/// shares all unchanged chunks with the one before.
///
/// A chunk stores no keys, which are long: those in between are looked up by handle.
struct ChunkedOrder<Key: Comparable & Sendable, Chunk: OrderedChunk>: Sendable {
    /// Each chunk by a key that is at most its first, and above all keys before it.
    private(set) var chunks = BTree<Key, Chunk>()

    /// Large enough that the work per chunk is small beside reading it.
    private static var capacity: Int { 512 }
    /// The members of a chunk that is built at once.
    static var builtCount: Int { capacity * 3 / 4 }

    init() {}

    /// An order of full chunks, each with its first key.
    init(sorted chunks: [(Key, Chunk)]) {
        self.chunks = BTree(sorted: chunks)
    }

    /// Inserts a member by its key, which no other has.
    ///
    /// - Parameter keyOf: the key of another member.
    mutating func insert(_ member: Chunk.Member, _ key: Key, keyOf: (Chunk.Handle) -> Key?) {
        guard var (first, chunk) = element(of: key) ?? chunks.first else {
            var chunk = Chunk()
            chunk.insert(member, at: 0)
            chunks.updateValue(chunk, forKey: key)
            return
        }
        if key < first {
            chunks.removeValue(forKey: first)
            first = key
        }
        chunk.insert(member, at: Self.position(of: key, in: chunk, keyOf))
        if chunk.handles.count > Self.capacity {
            let half = chunk.split()
            let middle = half.handles[0] == Chunk.handle(of: member) ? key : keyOf(half.handles[0])
            if let middle { chunks.updateValue(half, forKey: middle) }
        }
        chunks.updateValue(chunk, forKey: first)
    }

    @discardableResult
    mutating func remove(_ key: Key, keyOf: (Chunk.Handle) -> Key?) -> Chunk.Handle? {
        guard case (let first, var chunk)? = element(of: key) else { return nil }
        let position = Self.position(of: key, in: chunk, keyOf)
        guard position < chunk.handles.count, keyOf(chunk.handles[position]) == key else { return nil }
        let handle = chunk.handles[position]
        chunk.remove(at: position)
        if chunk.handles.isEmpty {
            chunks.removeValue(forKey: first)
        } else {
            chunks.updateValue(chunk, forKey: first)
        }
        return handle
    }

    func handle(of key: Key, keyOf: (Chunk.Handle) -> Key?) -> Chunk.Handle? {
        guard let (_, chunk) = element(of: key) else { return nil }
        let position = Self.position(of: key, in: chunk, keyOf)
        guard position < chunk.handles.count, keyOf(chunk.handles[position]) == key else { return nil }
        return chunk.handles[position]
    }

    /// The chunk to which a key belongs; nil when it is below all.
    private func element(of key: Key) -> (Key, Chunk)? {
        let place = chunks.rank(of: key)
        if place < chunks.count {
            let element = chunks.element(at: place)
            if element.key == key { return element }
        }
        return place > 0 ? chunks.element(at: place - 1) : nil
    }

    /// The index of the first member whose key is not below one.
    private static func position(of key: Key, in chunk: Chunk, _ keyOf: (Chunk.Handle) -> Key?) -> Int {
        var (low, high) = (0, chunk.handles.count)
        while low < high {
            let middle = (low + high) >> 1
            if let found = keyOf(chunk.handles[middle]), found < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
