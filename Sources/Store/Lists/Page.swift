package struct PageRequest: Sendable, Equatable {
    /// From 1.
    package let number: Int
    /// Records per page, 1 to 100.
    package let size: Int

    package static let defaultSize = 20
    package static let maximumSize = 100

    /// A number below 1 is 1, a size outside 1 to 100 is 20, as the town's app expects.
    package init(number: Int = 1, size: Int = PageRequest.defaultSize) {
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

package struct Page<Record: Sendable>: Sendable {
    package let records: [Record]
    package let request: PageRequest
    package let total: Int
    package let hasNext: Bool

    /// - Parameter hasNext: nil when that follows from the number of the page.
    init(records: [Record], request: PageRequest, total: Int, hasNext: Bool? = nil) {
        (self.records, self.request, self.total) = (records, request, total)
        self.hasNext = hasNext ?? (request.ranks(in: total).upperBound < total)
    }

    /// Whether it is the last page; not when it is beyond the end.
    package var isLast: Bool { !hasNext && (request.number == 1 || !records.isEmpty) }

    package var pageCount: Int { (total + request.size - 1) / request.size }
}

extension Page {
    package func map<Other>(_ transform: (Record) -> Other) -> Page<Other> {
        Page<Other>(records: records.map(transform), request: request, total: total, hasNext: hasNext)
    }

    /// A page of a list that must be scanned from its start.
    package init(of list: some Sequence<Record>, _ request: PageRequest) {
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

/// The records that a query visits, in the order of its list. Conditions narrow them.
///
/// Without a condition a page is found by rank: the last one costs as much as the first.
struct Candidates<Record: Sendable>: Sendable {
    /// How many there are, whether they satisfy the condition or not.
    let count: Int
    private let visit: @Sendable (Range<Int>, (borrowing Record) -> Void) -> Void
    /// One function for all conditions: each in an array would be retained for each record. Nil for none.
    private var condition: (@Sendable (borrowing Record) -> Bool)?

    private init(_ count: Int, _ visit: @escaping @Sendable (Range<Int>, (borrowing Record) -> Void) -> Void) {
        (self.count, self.visit) = (count, visit)
    }

    init(_ records: [Record]) { self.init(records) { $0 } }

    init<Items: RandomAccessCollection & Sendable>(
        _ items: Items, _ record: @escaping @Sendable (Items.Element) -> Record?
    ) {
        self.init(items.count) { ranks, body in
            for item in items.dropFirst(ranks.lowerBound).prefix(ranks.count) {
                if let record = record(item) { body(record) }
            }
        }
    }

    func filter(_ isIncluded: @escaping @Sendable (borrowing Record) -> Bool) -> Candidates {
        var narrowed = self
        if let condition {
            narrowed.condition = { condition($0) && isIncluded($0) }
        } else {
            narrowed.condition = isIncluded
        }
        return narrowed
    }

    func matches(in ranks: Range<Int>) -> [Record] {
        var found: [Record] = []
        visit(ranks.clamped(to: 0..<count)) { record in
            if isMatch(record) { found.append(copy record) }
        }
        return found
    }

    private func records(_ ranks: Range<Int>) -> [Record] {
        var found: [Record] = []
        visit(ranks) { found.append(copy $0) }
        return found
    }

    private func isMatch(_ record: borrowing Record) -> Bool {
        condition?(record) ?? true
    }

    /// With the rank of each matching record among the candidates.
    func forEach(_ body: (_ rank: Int, Record) -> Void) {
        var rank = 0
        visit(0..<count) { record in
            if isMatch(record) { body(rank, record) }
            rank += 1
        }
    }

    /// - Parameter isAfter: whether a record belongs to the part of the list from which the page is; nil for the whole
    ///   list. It is so for all candidates after one for which it is.
    func page(_ request: PageRequest, where isAfter: ((Record) -> Bool)? = nil) -> Page<Record> {
        let start = isAfter.map(firstRank)
        guard condition != nil else {
            let ranks = start.map { $0..<min(count, $0 + request.size) } ?? request.ranks(in: count)
            return Page(
                records: records(ranks), request: request, total: count, hasNext: ranks.upperBound < count)
        }
        let wanted = start == nil ? request.ranks(in: .max) : 0..<request.size
        var (found, before, after) = ([Record](), 0, 0)
        forEach { rank, record in
            if rank < start ?? 0 {
                before += 1
                return
            }
            if wanted.contains(after) { found.append(record) }
            after += 1
        }
        return Page(records: found, request: request, total: before + after, hasNext: wanted.upperBound < after)
    }

    /// The rank of the first candidate for which a condition is true, as for all after it.
    private func firstRank(where isTrue: (Record) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if records(middle..<middle + 1).contains(where: isTrue) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
