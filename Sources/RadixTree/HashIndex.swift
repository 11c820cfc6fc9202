/// Numbers found by the hash of what they stand for, cheap to copy.
///
/// What is found is checked by the caller, who knows what the number stands for: the index keeps no keys, and two of
/// them may have the same hash.
///
/// ```swift
/// var bySlug = HashIndex()
/// bySlug.insert(shop.id, hash: shop.slug.hashValue)
/// bySlug.find(hash: slug.hashValue) { shops[$0]?.slug == slug ? shops[$0] : nil }
/// ```
///
/// As in `RadixTree` a copy shares all nodes, a change copies one a level, and digits of the hash are the way. A
/// look-up among a million reads three or four places of memory that no cache has; an ordered tree compares twenty keys
/// for it.
///
/// A number takes 16 to 40 bytes, and more where many were taken out. The hash must be a good one in its highest bits,
/// as that of `Hasher` is.
public struct HashIndex: Sendable {
    @usableFromInline var root = HashNode.empty

    /// An empty index.
    @inlinable
    public init() {}

    /// An index of many numbers at once, in a fraction of the time that it takes to put them in one by one.
    ///
    /// - Returns: nil when `areSame` says so of two numbers that have the same hash.
    public init?(_ numbers: [(hash: Int, number: Int)], where areSame: (Int, Int) -> Bool) {
        let entries = ContiguousArray(
            numbers.map { HashNode.Entry(hash: UInt(bitPattern: $0.hash), number: $0.number) }
                .sorted { $0.hash < $1.hash })
        var start = 0
        for index in entries.indices.dropFirst() {
            if entries[index].hash != entries[start].hash {
                start = index
            } else if entries[start..<index].contains(where: { areSame($0.number, entries[index].number) }) {
                return nil
            }
        }
        root = HashNode(sorted: entries, 0)
    }

    /// What a function first makes of the numbers of a hash, from the one that was put in last; nil when it makes
    /// nothing of any.
    @inlinable
    public func find<Found>(hash: Int, _ found: (Int) -> Found?) -> Found? {
        let hash = UInt(bitPattern: hash)
        for entry in root.leaf(of: hash, 0).reversed() where entry.hash == hash {
            if let found = found(entry.number) { return found }
        }
        return nil
    }

    /// Puts a number in, which may be there already, and then is twice.
    @inlinable
    public mutating func insert(_ number: Int, hash: Int) {
        root.insert(HashNode.Entry(hash: UInt(bitPattern: hash), number: number), 0)
    }

    /// Takes a number out, once; does nothing when it is not there.
    @inlinable
    public mutating func remove(_ number: Int, hash: Int) {
        // Looked up first, so that a number that is not there copies no shared node.
        guard find(hash: hash, { $0 == number ? $0 : nil }) != nil else { return }
        root.remove(HashNode.Entry(hash: UInt(bitPattern: hash), number: number), 0)
    }
}

/// A node of the index: a few numbers, or the nodes of those with each digit.
@usableFromInline
enum HashNode: Sendable {
    @usableFromInline
    struct Entry: Equatable, Sendable {
        @usableFromInline let hash: UInt
        @usableFromInline let number: Int

        @inlinable
        init(hash: UInt, number: Int) { (self.hash, self.number) = (hash, number) }
    }

    /// In the order in which they were put in.
    case leaf(ContiguousArray<Entry>)
    /// One for each digit.
    case inner(ContiguousArray<HashNode>)

    @inlinable static var empty: HashNode { .leaf([]) }

    /// How many bits a digit has.
    @inlinable static var digit: Int { 4 }

    /// So many numbers are in a leaf at the most, where the hash has digits left to tell them apart by.
    @inlinable static var leafSize: Int { 32 }

    /// The digit of a hash that chooses among the children of a node, from the highest one on.
    @inlinable
    static func slot(of hash: UInt, _ shift: Int) -> Int { Int((hash &<< UInt(shift)) &>> UInt(UInt.bitWidth - digit)) }

    @inlinable
    var isEmpty: Bool {
        if case .leaf(let entries) = self { entries.isEmpty } else { false }
    }

    /// The entries among which those of a hash are. The caller looks at them: a closure would be copied at every level.
    @inlinable
    func leaf(of hash: UInt, _ shift: Int) -> ContiguousArray<Entry> {
        switch self {
        case .leaf(let entries): entries
        case .inner(let children): children[Self.slot(of: hash, shift)].leaf(of: hash, shift + Self.digit)
        }
    }

    @inlinable
    @inline(never)
    mutating func insert(_ entry: Entry, _ shift: Int) {
        switch self {
        case .leaf(var entries):
            self = .empty
            entries.append(entry)
            if entries.count > Self.leafSize { entries.sort { $0.hash < $1.hash } }
            self = HashNode(sorted: entries, shift)
        case .inner(var children):
            self = .empty
            children[Self.slot(of: entry.hash, shift)].insert(entry, shift + Self.digit)
            self = .inner(children)
        }
    }

    /// Takes out an entry that is there.
    @inlinable
    @inline(never)
    mutating func remove(_ entry: Entry, _ shift: Int) {
        switch self {
        case .leaf(var entries):
            self = .empty
            if let place = entries.lastIndex(of: entry) { entries.remove(at: place) }
            self = .leaf(entries)
        case .inner(var children):
            self = .empty
            children[Self.slot(of: entry.hash, shift)].remove(entry, shift + Self.digit)
            self = children.allSatisfy(\.isEmpty) ? .empty : .inner(children)
        }
    }

    /// The node of entries, which are in the order of their hashes when they are too many for a leaf.
    @inlinable
    init(sorted entries: ContiguousArray<Entry>, _ shift: Int) {
        guard entries.count > Self.leafSize, shift < UInt.bitWidth else {
            self = .leaf(entries)
            return
        }
        var (children, rest) = (ContiguousArray<HashNode>(), entries[...])
        for slot in 0..<(1 << Self.digit) {
            let end = rest.firstIndex { Self.slot(of: $0.hash, shift) > slot } ?? rest.endIndex
            children.append(HashNode(sorted: ContiguousArray(rest[..<end]), shift + Self.digit))
            rest = rest[end...]
        }
        self = .inner(children)
    }
}

extension HashIndex {
    /// How many numbers there are in each leaf, for tests. Costs O(n).
    package func leafCounts() -> [Int] { root.leafCounts() }
}

extension HashNode {
    func leafCounts() -> [Int] {
        switch self {
        case .leaf(let entries): [entries.count]
        case .inner(let children): children.flatMap { $0.leafCounts() }
        }
    }
}
