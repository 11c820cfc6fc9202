import BTree
import Bytes

/// A substring index over the folded names of the listed businesses.
///
/// A search matches anywhere in a name, so an order of names does not help: it reads all of them. The names of 100,000
/// businesses take 2.5 MB, and a processor compares several bytes of them in a nanosecond. They are stored as text in
/// chunks of some hundred, in a tree, so that a version shares all unchanged chunks with the one before.
struct NameIndex: Index {
    private var names = ChunkedOrder<NameKey, NameChunk>()

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
            if chunk.handles.count == ChunkedOrder<NameKey, NameChunk>.builtCount, let key = first {
                built.append((key, chunk.trimmed))
                (chunk, first) = (NameChunk(), nil)
            }
            if first == nil { first = record.nameKey }
            chunk.insert(record, at: chunk.handles.count)
        }
        if let first { built.append((first, chunk.trimmed)) }
        names = ChunkedOrder(sorted: built)
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
        names.insert(record, record.nameKey, keyOf: key)
    }

    mutating func remove(_ record: BusinessRecord, key: (Int) -> NameKey?) { names.remove(record.nameKey, keyOf: key) }

    /// The IDs of the businesses whose name contains a folded text, in the order of their names.
    ///
    /// - Parameters:
    ///   - wanted: the range of matches whose IDs are returned.
    ///   - isIncluded: whether a business counts as a match; nil when all do.
    func matches(
        of needle: [UInt8], at wanted: Range<Int>, where isIncluded: ((Int) -> Bool)? = nil
    ) -> (ids: [Int], total: Int) {
        let search = ByteSearch(for: needle)
        var (ids, total) = ([Int](), 0)
        for (_, chunk) in names.chunks {
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
