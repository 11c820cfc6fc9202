/// What the number of a record or of a part of one may be.
public enum IDRules {
    /// The whole numbers that every JSON reader keeps exact (RFC 8259, section 6).
    public static let range = 1...9_007_199_254_740_991
    /// The highest that a file may bring: as many are left for the records that come after it.
    static let highestBrought = 1 << 52

    /// Notes a number that a file brings and that is too high; 0 stands for none.
    public static func check(brought id: Int, _ field: String, _ problems: inout FieldProblems) {
        problems.require(id <= highestBrought, field, "must lie between 1 and \(highestBrought)")
    }

    /// Notes the ID of a record that can be none.
    static func check(_ id: Int, _ field: StaticString, _ problems: inout FieldProblems) {
        problems.require(range ~= id, "\(field)", "must lie between 1 and \(range.upperBound)")
    }

    /// Notes parts of one record that have the same ID.
    static func checkDifferent<Part: RecordPart>(
        _ parts: [Part], of name: StaticString, _ problems: inout FieldProblems
    ) {
        // They mostly ascend, and are different then.
        guard !parts.isAscending(by: \.id) else { return }
        var seen: Set<Int> = []
        for (index, part) in parts.enumerated() where !seen.insert(part.id).inserted {
            problems.add("\(name)[\(index)].id", "\(part.id) stands twice in the same list")
        }
    }
}

extension Array {
    /// Whether each element has a higher number than the one before it.
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
