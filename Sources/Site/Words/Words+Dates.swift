import Bytes
import SookeModel

extension Words {
    /// The day that a text names, such as `Saturday 12 December`, `Dec 12th` or `2026-12-12`, and the text without it;
    /// without a year the next one of that name.
    func day(in text: String) -> (date: CivilDate, rest: String)? {
        let words = text.split(at: " ", ",", ".")
        for (index, word) in words.enumerated() {
            if let date = CivilDate(word) { return (date, Self.rest(of: words, without: index...index)) }
            guard let month = Self.index(of: word, in: Self.months).map({ $0 + 1 }) else { continue }
            for other in [index - 1, index + 1] where words.indices.contains(other) {
                let days = words[other].utf8.prefix(while: ASCII.isDigit)
                guard let day = Int(String(Substring(days))), words[other].utf8.count <= days.count + 2 else {
                    continue
                }
                let last = max(index, other)
                let given =
                    last + 1 < words.count
                    ? Int(words[last + 1]).flatMap { (2000...2199).contains($0) ? $0 : nil } : nil
                let years = given.map { [$0] } ?? [today.year, today.year + 1]
                let dates = years.compactMap { CivilDate(year: $0, month: month, day: day) }
                guard let date = dates.first(where: { $0 >= today }) ?? dates.first else { continue }
                return (date, Self.rest(of: words, without: min(index, other)...(given == nil ? last : last + 1)))
            }
        }
        return nil
    }

    /// Also without the name of a day before it.
    private static func rest(of words: [String], without part: ClosedRange<Int>) -> String {
        let before = words[..<part.lowerBound]
        let hasName = before.last.map { index(of: $0, in: weekdays) != nil } ?? false
        return (before.dropLast(hasName ? 1 : 0) + words[(part.upperBound + 1)...]).joined(separator: " ")
    }

    /// The index of a name by its first letters, at least three.
    private static func index(of word: String, in names: [String]) -> Int? {
        word.utf8.count < 3
            ? nil : names.firstIndex { ASCII.equalIgnoringCase($0.utf8.prefix(word.utf8.count), word.utf8) }
    }
}
