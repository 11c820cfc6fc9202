import BTree

/// The part of a list to return.
public struct PageRequest: Sendable, Equatable {
    /// The number of the page, from 1.
    public let number: Int
    /// The number of records per page, 1 to 100.
    public let size: Int

    /// The default number of records per page.
    public static let defaultSize = 20
    /// The most records per page.
    public static let maximumSize = 100

    /// A page. A number below 1 is 1, a size outside 1 to 100 is 20, as the town's app expects.
    public init(number: Int = 1, size: Int = PageRequest.defaultSize) {
        self.number = max(number, 1)
        self.size = 1...Self.maximumSize ~= size ? size : Self.defaultSize
    }

    /// The ranks of the records of the page in a list of `total` records; empty beyond its end.
    func ranks(in total: Int) -> Range<Int> {
        let (before, overflow) = (number - 1).multipliedReportingOverflow(by: size)
        guard !overflow, before < total else { return total..<total }
        return before..<(before + min(size, total - before))
    }
}

/// A part of a list, with the length of the whole list.
public struct Page<Record: Sendable>: Sendable {
    /// The records of the page.
    public let records: [Record]
    public let request: PageRequest
    /// The number of records in the whole list.
    public let total: Int
    /// Whether the list has records after the page.
    public let hasNext: Bool

    /// - Parameter hasNext: nil when that follows from the number of the page.
    init(records: [Record], request: PageRequest, total: Int, hasNext: Bool? = nil) {
        (self.records, self.request, self.total) = (records, request, total)
        self.hasNext = hasNext ?? (request.ranks(in: total).upperBound < total)
    }

    /// The number of pages of the whole list.
    public var pageCount: Int { (total + request.size - 1) / request.size }
}

extension Page {
    /// The same page of other records.
    public func map<Other>(_ transform: (Record) -> Other) -> Page<Other> {
        Page<Other>(records: records.map(transform), request: request, total: total, hasNext: hasNext)
    }

    /// A page of a list that must be scanned from its start.
    public init(of list: some Sequence<Record>, _ request: PageRequest) {
        let wanted = request.ranks(in: .max)
        var records: [Record] = []
        var total = 0
        for record in list {
            if wanted.contains(total) { records.append(record) }
            total += 1
        }
        self.init(records: records, request: request, total: total)
    }
}

/// The records that may match a query, from an index and in the order of the pages. Predicates narrow them.
///
/// Without a predicate, a page of an index is found by rank: the last page costs as much as the first.
struct Candidates<Record: Sendable> {
    private let find: (PageRequest, _ predicate: ((Record) -> Bool)?) -> Page<Record>
    private var predicate: ((Record) -> Bool)?

    /// The records of a range of an index.
    init<Key>(_ range: BTree<Key, Record>.Elements) {
        find = { request, predicate in
            if let predicate { return Page(of: range.lazy.map(\.value).filter(predicate), request) }
            return Page(
                records: range.part(request.ranks(in: range.count)).values, request: request, total: range.count)
        }
    }

    /// Records that are found by a scan.
    init(_ records: some Sequence<Record>) {
        find = { request, predicate in
            if let predicate { return Page(of: records.lazy.filter(predicate), request) }
            return Page(of: records, request)
        }
    }

    /// The candidates that satisfy a predicate.
    func filter(_ isIncluded: @escaping (Record) -> Bool) -> Candidates {
        var narrowed = self
        if let predicate {
            narrowed.predicate = { predicate($0) && isIncluded($0) }
        } else {
            narrowed.predicate = isIncluded
        }
        return narrowed
    }

    /// A page of the matching records.
    func page(_ request: PageRequest) -> Page<Record> { find(request, predicate) }
}
