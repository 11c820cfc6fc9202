public enum IDRules {
    /// The whole numbers that every JSON reader represents exactly (RFC 8259, section 6).
    public static let range = 1...9_007_199_254_740_991
    /// The highest ID in a file, so that as many are left for later records.
    static let highestGiven = 1 << 52

    /// Whether an ID in a file leaves enough for later records.
    public static func isGivable(_ id: Int) -> Bool { 1...highestGiven ~= id }

    /// Adds a problem for an ID in a file that is too high; 0 means none.
    public static func check(given id: Int, _ field: String, _ problems: inout FieldProblems) {
        problems.require(id <= highestGiven, field, "must lie between 1 and \(highestGiven)")
    }

    static func check(_ id: Int, _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(range ~= id, field, "must lie between 1 and \(range.upperBound)")
    }

    static func checkDifferent<Part: RecordPart>(
        _ parts: [Part], of name: StaticString, _ problems: inout FieldProblems
    ) {
        // Most lists ascend, and then have no duplicates.
        if !parts.isAscending(by: \.id) { checkDifferent(parts.map(\.id), of: name, &problems) }
    }

    private static func checkDifferent(_ ids: [Int], of name: StaticString, _ problems: inout FieldProblems) {
        var seen: Set<Int> = []
        for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
            problems.add("\(name)[\(index)].id", "\(id) occurs twice in the same list")
        }
    }
}

extension Array {
    /// Whether each element has a higher ID than the one before it.
    @inlinable
    public func isAscending(by number: (Element) -> Int) -> Bool {
        var index = 1
        while index < count {
            guard number(self[index - 1]) < number(self[index]) else { return false }
            index += 1
        }
        return true
    }
}
