/// An estimate of how hard a password is to guess: the number of its pieces.
///
/// A known word is one piece, also with common substitutions (`p4$$w0rd`); a run of at least three characters that are
/// the same, consecutive in the alphabet or adjacent on a keyboard is one; every other character is one. A repeated
/// password counts once.
enum PasswordPieces {
    /// The pieces of a text in lower case. Words must be in lower case too and not empty.
    static func count(_ text: String, words: [String]) -> Int {
        let unit = repeatedUnit(Array(text.unicodeScalars))
        let bare = unit.map { disguises[$0] ?? $0 }
        let words = words.map { Array($0.unicodeScalars) }
        var (pieces, place) = (0, 0)
        while place < unit.count {
            let word = words.lazy.filter { starts(unit, bare, at: place, with: $0) }.map(\.count).max()
            place += word ?? runLength(unit[place...])
            pieces += 1
        }
        return pieces
    }

    /// The minimum number of pieces of a text in lower case when at most two words of it are known or common: a common
    /// word is two pieces, since there are thousands of them, and a year is one. Three words or more are a passphrase.
    static func countAroundTwoWords(_ text: String, words: [String]) -> Int {
        let unit = repeatedUnit(Array(text.unicodeScalars))
        let bare = unit.map { disguises[$0] ?? $0 }
        let words = words.map { Array($0.unicodeScalars) }
        // The minimum number of pieces before each position, with no word, one and two.
        var fewest = Array(repeating: [Int](repeating: .max, count: unit.count + 1), count: 3)
        fewest[0][0] = 0
        for place in unit.indices {
            let plain = plainSteps(unit[place...])
            let known = wordSteps(unit, bare, at: place, words)
            for used in 0...2 where fewest[used][place] < .max {
                let pieces = fewest[used][place]
                for length in plain { fewest[used][place + length] = min(fewest[used][place + length], pieces + 1) }
                guard used < 2 else { continue }
                for (length, cost) in known {
                    fewest[used + 1][place + length] = min(fewest[used + 1][place + length], pieces + cost)
                }
            }
        }
        return fewest.compactMap(\.last).min() ?? 0
    }

    /// The lengths of the pieces other than words at the start: a character, a run, a year.
    private static func plainSteps(_ text: ArraySlice<Unicode.Scalar>) -> Set<Int> {
        var lengths: Set = [1, runLength(text)]
        let year = text.prefix(4)
        if year.count == 4, year.starts(with: ["1", "9"]) || year.starts(with: ["2", "0"]),
            year.allSatisfy({ "0"..."9" ~= $0 })
        {
            lengths.insert(4)
        }
        return lengths
    }

    private static func wordSteps(
        _ text: [Unicode.Scalar], _ bare: [Unicode.Scalar], at place: Int, _ words: [[Unicode.Scalar]]
    ) -> [(length: Int, pieces: Int)] {
        var steps = words.filter { starts(text, bare, at: place, with: $0) }.map { (length: $0.count, pieces: 1) }
        for letters in [text, bare] {
            var word = ""
            let limit = min(text.count, place + CommonPasswords.commonWordLengths.upperBound)
            for scalar in letters[place..<limit] {
                guard "a"..."z" ~= scalar else { break }
                word.unicodeScalars.append(scalar)
                let length = word.utf8.count
                if length >= CommonPasswords.commonWordLengths.lowerBound, CommonPasswords.isCommonWord(word) {
                    steps.append((length, 2))
                }
            }
        }
        return steps
    }

    /// The shortest unit that the text repeats; usually the text itself.
    private static func repeatedUnit(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        for length in stride(from: 1, through: text.count / 2, by: 1)
        where text.count.isMultiple(of: length) && text.dropFirst(length).elementsEqual(text.dropLast(length)) {
            return Array(text.prefix(length))
        }
        return text
    }

    /// Whether a word occurs at a position, with or without substitutions.
    private static func starts(
        _ text: [Unicode.Scalar], _ bare: [Unicode.Scalar], at place: Int, with word: [Unicode.Scalar]
    ) -> Bool {
        guard text.count - place >= word.count else { return false }
        return word.indices.allSatisfy { text[place + $0] == word[$0] || bare[place + $0] == word[$0] }
    }

    /// The length of the run at the start; 1 when it is shorter than three.
    private static func runLength(_ text: ArraySlice<Unicode.Scalar>) -> Int {
        var longest = text.prefix { $0 == text.first }.count
        for row in rows {
            guard let place = text.first.flatMap(row.firstIndex) else { continue }
            longest = max(longest, zip(text, row[place...]).prefix { $0 == $1 }.count)
        }
        return longest >= 3 ? longest : 1
    }

    private static let disguises: [Unicode.Scalar: Unicode.Scalar] = [
        "@": "a", "4": "a", "3": "e", "1": "i", "!": "i", "0": "o", "$": "s", "5": "s", "7": "t",
    ]

    /// Rows of keys and alphabets, in both directions.
    private static let rows: [[Unicode.Scalar]] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
        "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "!@#$%^&*()_+",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
        "qazwsxedcrfvtgbyhnujm",
    ].flatMap { [Array($0.unicodeScalars), $0.unicodeScalars.reversed()] }
}
