import Bytes

/// The columns of a table that are not read.
struct IgnoredColumns {
    /// Those that the table does not have.
    var unknown: [String] = []
    /// Those with the meaning of another one, each with that one.
    var shadowed: [String] = []

    /// The most columns that a warning names.
    private static let listed = 10

    /// Warnings that name them.
    func warnings(known: [String]) -> [String] {
        var warnings: [String] = []
        if !unknown.isEmpty {
            let names = unknown.prefix(Self.listed).map { "\"\($0.excerpt())\"" }
            let near = unknown.prefix(Self.listed).compactMap { name in
                Suggestion.nearest(to: ColumnNames.normalized(name), in: known).map {
                    "\($0) for \"\(name.excerpt())\""
                }
            }
            let advice = near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
            warnings.append(Self.sentence(names, of: unknown.count, "not known and ignored") + advice)
        }
        if !shadowed.isEmpty {
            warnings.append(Self.sentence(Array(shadowed.prefix(Self.listed)), of: shadowed.count, "ignored"))
        }
        return warnings
    }

    private static func sentence(_ names: [String], of count: Int, _ predicate: String) -> String {
        let rest = count > names.count ? " and \(count - names.count) more" : ""
        let list = names.joined(separator: ", ") + rest
        return count == 1 ? "the column \(list) is \(predicate)" : "the columns \(list) are \(predicate)"
    }
}
