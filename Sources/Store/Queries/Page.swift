/// Which part of a list is asked for.
public struct PageRequest: Sendable, Equatable {
    /// The page, from 1.
    public let number: Int
    /// How many records a page holds, 1 to 100.
    public let size: Int

    /// How many records a page holds when nobody says.
    public static let defaultSize = 20
    /// How many records a page holds at most.
    public static let maximumSize = 100

    /// A page. A number below 1 is 1, a size outside 1 to 100 is 20, as the town's app expects.
    public init(number: Int = 1, size: Int = PageRequest.defaultSize) {
        self.number = max(number, 1)
        self.size = 1...Self.maximumSize ~= size ? size : Self.defaultSize
    }

    /// The ranks of the page's records in a list of `total`; empty past its end, however far.
    func ranks(in total: Int) -> Range<Int> {
        let (before, overflow) = (number - 1).multipliedReportingOverflow(by: size)
        guard !overflow, before < total else { return total..<total }
        return before..<(before + min(size, total - before))
    }
}

/// A part of a list, and how long the whole list is.
public struct Page<Record: Sendable>: Sendable {
    /// The records of the page.
    public let records: [Record]
    /// The page that was asked for.
    public let request: PageRequest
    /// How many records the whole list has.
    public let total: Int

    /// How many pages the whole list has.
    public var pageCount: Int { (total + request.size - 1) / request.size }
}

extension Page {
    /// The page of a list that has to be walked through from its start.
    init(of list: some Sequence<Record>, _ request: PageRequest) {
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
