import Testing

@testable import SookeModel

@Suite struct WordFoldingTests {
    @Test(arguments: [
        ("éÉèêëẽậḴ", "eeeeeeak"), ("ßẞ", "ssss"), ("øØ", "oo"), ("łŁ", "ll"), ("æÆœŒ", "aeaeoeoe"), ("þÞ", "thth"),
        ("đðŋ", "ddn"), ("ıİ", "ii"), ("åñčžş", "anczs"), ("ﬁﬂ", "fifl"), ("ＡＢ", "ab"), ("①²½", "1212"),
        ("ȾȾⱦŦ", "tttt"), ("Ƚ", "l"), ("Ȼ", "c"), ("ʷ", "w"), ("ά", "α"), ("Σςσ", "σσσ"), ("Ё", "е"), ("Й", "и"),
        ("٣४", "34"), ("가", "가"),
    ])
    func foldsToBaseLetters(_ text: String, _ folded: String) {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch WordFolding.fold(scalar) {
            case .ascii(var letters):
                while letters > 0 {
                    result.append(Unicode.Scalar(UInt8(truncatingIfNeeded: letters)))
                    letters >>= 8
                }
            case .letter(let letter): result.append(letter)
            default: Issue.record("\(scalar) is no letter")
            }
        }
        #expect(String(result).unicodeScalars.elementsEqual(folded.unicodeScalars))
    }

    /// A search folds both the text and the query, so a fold must not change when it is folded again.
    @Test func aFoldedLetterStays() {
        for value in (0x80 as UInt32)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value), case .letter(let letter) = WordFolding.fold(scalar) else {
                continue
            }
            #expect(WordFolding.fold(letter) == .letter(letter), "\(scalar) U+\(String(value, radix: 16))")
        }
    }
}
