/// The part of a list to return.
package struct PageRequest: Sendable, Equatable {
    /// The number of the page, from 1.
    package let number: Int
    /// The number of records per page, 1 to 100.
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

/// A part of a list, with the length of the whole list.
package struct Page<Record: Sendable>: Sendable {
    package let records: [Record]
    package let request: PageRequest
    /// The number of records in the whole list.
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
