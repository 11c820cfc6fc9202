import Bytes

/// Titles that say by a mark that their event is cancelled: `CANCELLED: Jam`, `Jam (annulé)`, `Cancelled – Jam`.
///
/// The word alone says nothing: "Why Subscriptions Get Cancelled" is a talk.
enum CancelledTitle {
    private static let words: Set<String> = ["cancelled", "canceled", "annulé", "annulée", "annulés", "annulées"]
    private static let negations: Set<String> = ["not", "never", "pas", "non", "jamais"]

    private static let marks = Set(":-–—!/".unicodeScalars)
    private static let openers = Set("([{<".unicodeScalars)
    private static let closers = Set(")]}>".unicodeScalars)
    private static let ornaments = marks.union(" *_~.,".unicodeScalars)

    /// The title without its mark; nil when it has none, or nothing else.
    static func rest(of title: String) -> String? {
        guard title.utf8.count <= 1_000 else { return nil }
        let scalars = Array(title.unicodeScalars)
        let runs = scalars.indices.split { !isLetter(scalars[$0]) }
        guard runs.count > 1, let first = runs.first, let last = runs.last else { return nil }
        var rest = scalars[first.upperBound...]
        if isMarked(first, in: scalars, beside: rest) {
            rest = rest.drop { ornaments.contains($0) || closers.contains($0) }
        } else {
            rest = scalars[..<last.lowerBound]
            guard isMarked(last, in: scalars, beside: rest),
                !negations.contains(text(scalars[runs[runs.count - 2]]).lowercased())
            else { return nil }
            while let end = rest.last, ornaments.contains(end) || openers.contains(end) { rest.removeLast() }
        }
        // Some programs add a mark to that of a person.
        let plain = text(rest)
        return self.rest(of: plain) ?? plain
    }

    private static func text(_ part: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(part)) }

    /// An accent may follow its letter.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
            || scalar.properties.numericType != nil
    }

    private static func isMarked(
        _ word: Range<Int>, in scalars: [Unicode.Scalar], beside others: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard words.contains(text(scalars[word]).lowercased()) else { return false }
        let isLower = { (scalar: Unicode.Scalar) in scalar.properties.isLowercase }
        if !scalars[word].contains(where: isLower), others.contains(where: isLower) { return true }
        let (before, after) = (scalars[..<word.lowerBound], scalars[word.upperBound...])
        let isOpen = before.last.map(openers.contains) == true
        if isOpen, after.first(where: { $0 != "!" }).map(closers.contains) == true { return true }
        return [before.lastIndex { $0 != " " }, after.firstIndex { $0 != " " }].contains { index in
            guard let index, marks.contains(scalars[index]) else { return false }
            // "Cancelled-cheque workshop".
            let isAfterLetter = index > 0 && isLetter(scalars[index - 1])
            let isJoined = isAfterLetter && scalars[(index + 1)...].first.map(isLower) == true
            return !isJoined || !"-/".unicodeScalars.contains(scalars[index])
        }
    }
}
