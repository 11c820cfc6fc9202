import Bytes
import SookeModel

/// The words of names, without case, accents and the endings of the plural.
enum NameWords {
    private static let dropped: Set<String> = ["the", "and", "of", "for", "et", "und"]

    /// The words of a name, each once.
    static func words(of name: String) -> Set<String> {
        var (words, letters) = (Set<String>(), [UInt8]())
        func end() {
            if !letters.isEmpty {
                let word = singular(String(decoding: letters, as: UTF8.self))
                if !dropped.contains(word) { words.insert(word) }
            }
            letters = []
        }
        for scalar in name.unicodeScalars where scalar != "'" && scalar != "’" {
            guard scalar.isASCII else {
                switch WordFolding.fold(scalar) {
                case .separator: end()
                case .mark: break
                case .ascii(let folded):
                    for shift in stride(from: 0 as UInt32, to: 32, by: 8) where folded >> shift & 0xFF != 0 {
                        letters.append(UInt8(truncatingIfNeeded: folded >> shift))
                    }
                case .letter(let letter), .ideograph(let letter): letters += Array(String(letter).utf8)
                }
                continue
            }
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) { letters.append(ASCII.lowercased(byte)) } else { end() }
        }
        end()
        return words
    }

    private static func singular(_ word: String) -> String {
        if word.utf8.count > 4, word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        if ["ches", "shes", "xes", "sses"].contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
        return word.utf8.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word
    }
}
