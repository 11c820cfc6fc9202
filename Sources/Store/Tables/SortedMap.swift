/// A copy-on-write map in the order of its keys.
///
/// A copy costs O(1) and shares everything; the first change after it copies one chunk of elements, the list of chunks
/// around it and the list of those lists, and never affects another copy. So every version of the store can be retained
/// while it is read.
///
/// A look-up is three binary searches. An offset and the count of a range walk along the chunks, of which 20,000
/// elements have some 400.
///
/// With values of type `Void` this is a set, and the values occupy no memory.
@usableFromInline
struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Element = (key: Key, value: Value)
    @usableFromInline typealias Chunk = ContiguousArray<Element>

    /// The most elements of a chunk, and chunks of a list.
    static var capacity: Int { 64 }

    /// In ascending order; no list and no chunk is empty.
    @usableFromInline private(set) var lists: ContiguousArray<ContiguousArray<Chunk>> = []
    @usableFromInline private(set) var count = 0

    init() {}

    /// A map of elements in any order; when several have one key, the last counts.
    init(_ elements: some Sequence<(Key, Value)>) {
        // The sort is stable, and costs O(n) when they are in order.
        for (key, value) in elements.sorted(by: { $0.0 < $1.0 }) { updateValue(value, forKey: key) }
    }

    @inlinable
    subscript(key: Key) -> Value? {
        let place = place(of: key)
        return has(key, at: place) ? self[place].value : nil
    }

    /// Where a key is, or else would be inserted: that may be the end of a chunk.
    @inlinable
    func place(of key: Key) -> Index {
        let list = Swift.max(0, Self.count(of: lists) { $0[0][0].key <= key } - 1)
        guard list < lists.count else { return startIndex }
        let chunk = Swift.max(0, Self.count(of: lists[list]) { $0[0].key <= key } - 1)
        return Index(list: list, chunk: chunk, offset: Self.count(of: lists[list][chunk]) { $0.key < key })
    }

    @inlinable
    func has(_ key: Key, at place: Index) -> Bool {
        place.list < lists.count && place.offset < lists[place.list][place.chunk].count && self[place].key == key
    }

    /// The number of elements at the start of an array that precede a bound, by binary search.
    @inlinable
    static func count<T>(of elements: ContiguousArray<T>, before isBefore: (T) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension SortedMap {
    @discardableResult
    mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let place = place(of: key)
        let (list, chunk, offset) = (place.list, place.chunk, place.offset)
        if has(key, at: place) {
            let old = self[place].value
            lists[list][chunk][offset].value = value
            return old
        }
        if lists.isEmpty { lists.append([[]]) }
        // Ascending keys leave full chunks and lists behind.
        let isLast = offset == Self.capacity && chunk + 1 == lists[list].count && list + 1 == lists.count
        let middle = isLast ? Self.capacity : Self.capacity / 2
        count += 1
        lists[list][chunk].insert((key, value), at: offset)
        if lists[list][chunk].count > Self.capacity {
            lists[list].insert(lists[list][chunk].split(at: middle), at: chunk + 1)
        }
        if lists[list].count > Self.capacity { lists.insert(lists[list].split(at: middle), at: list + 1) }
        return nil
    }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        let place = place(of: key)
        // First, so that an absent key copies nothing.
        guard has(key, at: place) else { return nil }
        let (list, chunk) = (place.list, place.chunk)
        let old = lists[list][chunk].remove(at: place.offset).value
        count -= 1
        if lists[list][chunk].isEmpty {
            lists[list].remove(at: chunk)
        } else if chunk > 0, lists[list][chunk - 1].count + lists[list][chunk].count <= Self.capacity / 2 {
            lists[list][chunk - 1] += lists[list].remove(at: chunk)
        }
        if lists[list].isEmpty { lists.remove(at: list) }
        return old
    }
}

extension ContiguousArray {
    /// Removes the elements from an index on, and returns them. Both parts take no more memory than they need.
    fileprivate mutating func split(at middle: Int) -> Self {
        defer { self = Self(self[..<middle]) }
        return Self(self[middle...])
    }
}

extension SortedMap: RandomAccessCollection {
    @usableFromInline
    struct Index: Comparable, Sendable {
        @usableFromInline var list, chunk, offset: Int

        @inlinable
        init(list: Int, chunk: Int, offset: Int) {
            (self.list, self.chunk, self.offset) = (list, chunk, offset)
        }

        @inlinable
        static func < (left: Index, right: Index) -> Bool {
            (left.list, left.chunk, left.offset) < (right.list, right.chunk, right.offset)
        }
    }

    @inlinable var startIndex: Index { Index(list: 0, chunk: 0, offset: 0) }
    @inlinable var endIndex: Index { Index(list: lists.count, chunk: 0, offset: 0) }

    @inlinable
    subscript(index: Index) -> Element { lists[index.list][index.chunk][index.offset] }

    @inlinable
    func index(after index: Index) -> Index {
        var next = index
        next.offset += 1
        if next.offset == lists[next.list][next.chunk].count { skipChunk(&next) }
        return next
    }

    @inlinable
    func index(before index: Index) -> Index { self.index(index, offsetBy: -1) }

    @inlinable
    func index(_ index: Index, offsetBy distance: Int) -> Index {
        var index = index
        index.offset += distance
        while index.offset < 0 {
            if index.chunk == 0 {
                index.list -= 1
                index.chunk = lists[index.list].count
            }
            index.chunk -= 1
            index.offset += lists[index.list][index.chunk].count
        }
        while index.list < lists.count, index.offset >= lists[index.list][index.chunk].count { skipChunk(&index) }
        return index
    }

    /// The same element as an offset of the next chunk, negative unless the index is past its own.
    @inlinable
    func skipChunk(_ index: inout Index) {
        index.offset -= lists[index.list][index.chunk].count
        index.chunk += 1
        if index.chunk == lists[index.list].count { (index.list, index.chunk) = (index.list + 1, 0) }
    }

    @inlinable
    func distance(from start: Index, to end: Index) -> Int {
        if end < start { return -distance(from: end, to: start) }
        var index = start
        while (index.list, index.chunk) != (end.list, end.chunk) { skipChunk(&index) }
        return end.offset - index.offset
    }

    /// The index of the first element whose key is not below this one.
    private func index(from key: Key) -> Index { index(place(of: key), offsetBy: 0) }

    func elements(from lowerBound: Key) -> SubSequence { self[index(from: lowerBound)...] }

    func elements(below upperBound: Key) -> SubSequence { self[..<index(from: upperBound)] }

    func elements(in range: Range<Key>) -> SubSequence {
        self[index(from: range.lowerBound)..<index(from: range.upperBound)]
    }
}
