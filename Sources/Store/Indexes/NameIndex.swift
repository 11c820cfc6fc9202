import BTree
import Bytes

/// A substring index over the folded names of the listed businesses.
///
/// A search matches anywhere in a name, so an order of names does not help. The names of a million businesses take some
/// 25 MB, and a processor compares several bytes of them in a nanosecond; an exact index of trigrams would be larger
/// than the records. The names are stored as text in chunks of some hundred, in a tree, so that a version shares all
/// unchanged chunks with the one before. Each chunk has a `TrigramFilter`, so that a search skips most chunks unless the
/// text is a common one.
struct NameIndex: Index {
    /// Each chunk by a key that is at most its first name, and above all names before it.
    private var chunks = BTree<NameKey, NameChunk>()

    /// Large enough that the work per chunk is small beside reading it; a changed name copies 20 kB.
    private static let capacity = 512

    static var isForQueries: Bool { true }

    /// An empty index.
    init() {}

    /// An index of the listed businesses, which are those with a category.
    init(_ records: [BusinessRecord]) {
        self.init(sorted: records.filter { $0.categoryID != nil }.sorted { $0.nameKey < $1.nameKey })
    }

    /// An index of businesses that are sorted by name.
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

    /// Inserts a name that is not in the index yet.
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

    /// The IDs of the businesses whose name contains a folded text, in the order of their names.
    ///
    /// - Parameters:
    ///   - wanted: the range of matches whose IDs are returned.
    ///   - isIncluded: whether a business counts as a match; nil when all do.
    func matches(
        of needle: [UInt8], at wanted: Range<Int>, where isIncluded: ((Int) -> Bool)? = nil
    ) -> (ids: [Int], total: Int) {
        let (search, trigrams) = (ByteSearch(for: needle), TrigramFilter.trigrams(of: needle))
        var (ids, total) = ([Int](), 0)
        for (_, chunk) in chunks where chunk.mayContain(trigrams) {
            if isIncluded == nil {
                // Most chunks lie outside the page, and counting matches is faster than finding their IDs.
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

    /// The IDs of all businesses whose name contains a folded text, in the order of their names.
    func ids(matching needle: [UInt8]) -> [Int] { matches(of: needle, at: 0..<Int.max).ids }
}
