/// Finds the intended word for a mistyped one.
public enum Suggestion {
    /// The most bytes of a word: the time grows with the square of its length.
    private static let longestWord = 100

    /// The nearest candidate, or nil when none is near.
    ///
    /// A candidate is near if it is the only one that starts with the word, or differs by one mistake in three letters.
    public static func nearest(to word: String, in candidates: [String]) -> String? {
        let typed = Array(word.utf8)
        guard typed.count <= longestWord else { return nil }
        guard typed.contains(where: { $0 != UInt8(ascii: "-") }) else { return nil }
        let completed = candidates.filter { $0.hasPrefix(word) }
        if completed.count == 1 { return completed.first }
        let ranked = candidates.map { (candidate: $0, distance: distance(typed, Array($0.utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.candidate.utf8.count / 3) ? best.candidate : nil
    }

    /// The number of inserted, deleted, changed or swapped bytes: the optimal string alignment distance (L. Boytsov,
    /// "Indexing methods for approximate dictionary searching", 2011, section 2.2.1).
    public static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(previous[column + 1], current[column]) + 1
                cost = min(cost, previous[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
