/// What the number of a record or of a part of one may be.
enum NumberRules {
    /// The whole numbers that every JSON reader keeps exact (RFC 8259, section 6).
    static let range = 1...9_007_199_254_740_991

    /// Notes a number that cannot be one.
    static func check(_ id: Int, _ problems: inout FieldProblems) {
        problems.require(range ~= id, "id", "must lie between 1 and \(range.upperBound)")
    }

    /// Notes parts of one record that have the same number.
    static func checkDifferent(_ ids: [Int], of parts: String, _ problems: inout FieldProblems) {
        var seen: Set<Int> = []
        for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
            problems.add("\(parts)[\(index)].id", "\(id) stands twice in the same list")
        }
    }
}
