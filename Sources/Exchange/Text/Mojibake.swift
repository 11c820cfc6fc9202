import Bytes
import SookeModel

/// UTF-8 that a program read as windows-1252 or Latin-1, perhaps more than once: `CafÃ©` for `Café`.
///
/// Characters beside each other are repaired if all of them decode, and a pair such as `Ã©` shows that they were not
/// meant as they stand: `É’` in `CAFÉ’S` decodes as well. A warning asks about other pairs, and lost characters.
enum Mojibake {
    static func repair(_ text: inout String, _ field: String, _ warnings: inout FieldProblems) {
        guard text.withUTF8Bytes(mayBeBroken) else { return }
        let broken = text
        for _ in 0..<3 { text = decoded(text) }
        let bytes = text.unicodeScalars.map { Windows1252.byte($0) ?? 0 }
        let isRepaired = !text.hasSameBytes(as: broken)
        let isLeft = bytes.indices.contains { isPair(at: $0, in: bytes) } || text.unicodeScalars.contains("\u{FFFD}")
        guard isRepaired || isLeft else { return }
        let reading = isRepaired ? "was in another encoding, and is read as \"\(text.excerpt())\"" : ""
        let advice = isLeft ? "has characters of another encoding; correct them, or save the file as UTF-8" : ""
        let message = [reading, advice].filter { !$0.isEmpty }.joined(separator: ", which ")
        warnings.add(field, "\"\(broken.excerpt())\" \(message)")
    }

    /// Most texts are not, and "é" alone is none of the characters that begin a pair.
    private static func mayBeBroken(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.contains(where: { $0 == 0xC3 || $0 == 0xEF }) else { return false }
        return zip(text, text.dropFirst()).contains { byte, next in
            byte == 0xEF || byte == 0xC3 && (next < 0x86 || 0x8E...0x91 ~= next || 0xA2...0xA3 ~= next || next == 0xB0)
        }
    }

    private static func decoded(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let bytes = scalars.map { Windows1252.byte($0) ?? 0 }
        var (result, rest) = (String.UnicodeScalarView(), scalars.indices)
        while let first = rest.first {
            let run = rest.prefix { scalars[$0].isASCII == scalars[first].isASCII }
            rest = run.endIndex..<rest.endIndex
            let isBroken = run.contains { isPair(at: $0, in: bytes) } && !bytes[run].contains(0)
            let repaired = isBroken ? String(validUTF8: bytes[run]) : nil
            result.append(contentsOf: repaired.map { Array($0.unicodeScalars) } ?? Array(scalars[run]))
        }
        return String(result)
    }

    /// Of the first bytes only those of Latin, Greek and Cyrillic letters, and of common signs, emoji and kana.
    private static func isPair(at index: Int, in bytes: [UInt8]) -> Bool {
        let before = index > 0 ? bytes[index - 1] : 0
        let after = bytes[(index + 1)...].prefix(2)
        let (next, last) = (after.first ?? 0, after.dropFirst().first ?? 0)
        switch bytes[index] {
        case 0xC2...0xC3 where UInt8(ascii: "a")...UInt8(ascii: "z") ~= before: return true
        case 0xC2...0xC5, 0xCE...0xD1:
            // A word in capitals may end so: before "…", "’", "”", "—", "™", "®" or "»".
            let isAfterCapital = before >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= before
            let isEnd = next == 0x92 || !ASCII.isLetter(last)
            let mayBeMeant = isAfterCapital && isEnd && [0x85, 0x92, 0x94, 0x97, 0x99, 0xAE, 0xBB].contains(next)
            return 0x80...0xBF ~= next && !mayBeMeant
        case 0xE2, 0xE3, 0xF0: return 0x80...0x84 ~= next || next == 0x9F
        default: return false
        }
    }
}

extension Windows1252 {
    /// Latin-1 has controls for the characters of windows-1252, which also come where that has none.
    static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        return scalar == "\u{FFFD}" ? nil : special.firstIndex(of: scalar).map { UInt8(0x80 + $0) }
    }
}
