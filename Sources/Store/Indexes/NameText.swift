import BTree
import Bytes

/// The names of the listed businesses, folded, as a text that is searched from end to end.
///
/// A name is found wherever letters stand in it, so no order of names helps. But the names of a million businesses are
/// some 25 MB when they lie one behind the other, and a processor compares several bytes of them in a nanosecond; an
/// exact index of letter groups would be larger than the records. The text is cut into chunks of some hundred names,
/// held in a tree, so that a version shares with the one before all chunks but those that changed; and each chunk
/// knows roughly which letter groups it has, so that most are passed over unless the text is a common one.
struct NameText: Index {
    /// By a key that is not above the first name of the chunk, and above all names before it.
    private var chunks = BTree<NameKey, NameChunk>()

    /// Large enough that what is done once a chunk does not count beside reading it; a changed name copies 20 kB.
    private static let capacity = 512

    /// No name.
    init() {}

    /// The names of the businesses with a category, which are the listed ones.
    init(_ records: [BusinessRecord]) {
        self.init(sorted: records.filter { $0.categoryID != nil }.sorted { $0.nameKey < $1.nameKey })
    }

    /// The names of businesses that are in the order of their names.
    init(sorted records: [BusinessRecord]) {
        var (built, chunk) = ([(NameKey, NameChunk)](), NameChunk())
        var first: NameKey?
        for record in records {
            if chunk.ids.count == Self.capacity * 3 / 4, let key = first {
                built.append((key, chunk.trimmed))
                (chunk, first) = (NameChunk(), nil)
            }
            if first == nil { first = record.nameKey }
            chunk.insert(record, at: chunk.ids.count)
        }
        if let first { built.append((first, chunk.trimmed)) }
        chunks = BTree(sorted: built)
    }

    mutating func insert(_ record: BusinessRecord, among records: BTree<Int, BusinessRecord>) {
        if record.categoryID != nil { insert(record) { records[$0]?.nameKey } }
    }

    mutating func remove(_ record: BusinessRecord, among records: BTree<Int, BusinessRecord>) {
        if record.categoryID != nil { remove(record) { $0 == record.id ? record.nameKey : records[$0]?.nameKey } }
    }

    mutating func replace(
        _ old: BusinessRecord, with new: BusinessRecord, among records: BTree<Int, BusinessRecord>
    ) {
        let isSame =
            (old.categoryID == nil) == (new.categoryID == nil) && old.nameKey == new.nameKey
            && old.hasSameName(as: new)
        guard !isSame else { return }
        remove(old, among: records)
        insert(new, among: records)
    }

    /// Inserts a name that is not there yet.
    ///
    /// - Parameter key: the key of the business with an ID.
    mutating func insert(_ record: BusinessRecord, key: (Int) -> NameKey?) {
        let place = max(0, chunks.rank(of: record.nameKey) - 1)
        guard place < chunks.count else {
            var chunk = NameChunk()
            chunk.insert(record, at: 0)
            chunks.updateValue(chunk, forKey: record.nameKey)
            return
        }
        var (first, chunk) = chunks.element(at: place)
        if record.nameKey < first {
            chunks.removeValue(forKey: first)
            first = record.nameKey
        }
        chunk.insert(record, at: chunk.position(of: record.nameKey, key: key))
        if chunk.ids.count > Self.capacity {
            let half = chunk.split()
            if let middle = half.ids.first.flatMap({ $0 == record.id ? record.nameKey : key($0) }) {
                chunks.updateValue(half, forKey: middle)
            }
        }
        chunks.updateValue(chunk, forKey: first)
    }

    /// Removes a name.
    mutating func remove(_ record: BusinessRecord, key: (Int) -> NameKey?) {
        var place = chunks.rank(of: record.nameKey)
        if place == chunks.count || chunks.element(at: place).key != record.nameKey { place -= 1 }
        guard place >= 0 else { return }
        var (first, chunk) = chunks.element(at: place)
        chunk.remove(at: chunk.position(of: record.nameKey, key: key), id: record.id)
        if chunk.ids.isEmpty { chunks.removeValue(forKey: first) } else { chunks.updateValue(chunk, forKey: first) }
    }

    /// The IDs of the businesses whose name holds some folded text, in the order of their names.
    ///
    /// - Parameters:
    ///   - wanted: the places among them of those whose IDs are wanted.
    ///   - isIncluded: whether a business counts; nil when all do.
    func matches(
        of needle: [UInt8], at wanted: Range<Int>, where isIncluded: ((Int) -> Bool)? = nil
    ) -> (ids: [Int], total: Int) {
        let (search, groups) = (ByteSearch(for: needle), LetterGroups.groups(of: needle))
        var (ids, total) = ([Int](), 0)
        for (_, chunk) in chunks where chunk.mayHold(groups) {
            if isIncluded == nil {
                // Most chunks lie outside the page, and to count takes less than to find out whose names they are.
                let count = chunk.matchCount(of: search)
                guard (total..<total + count).overlaps(wanted) else {
                    total += count
                    continue
                }
            }
            chunk.forEachMatch(of: search) { id in
                if let isIncluded, !isIncluded(id) { return }
                if wanted.contains(total) { ids.append(id) }
                total += 1
            }
        }
        return (ids, total)
    }
}
