import ViewTree

/// Decodes the keys of a terminal: UTF-8, controls, and the sequences of ECMA-48 for arrows, pages, Home and End.
///
/// Unknown sequences and bytes that are not UTF-8 are ignored.
struct KeyDecoder {
    private var pending: [UInt8] = []
    /// More than any sequence that a terminal sends.
    private static let longestSequence = 32

    /// Whether bytes wait for more; a lone escape character may be the key, or the begin of a sequence.
    var isWaiting: Bool { !pending.isEmpty }

    mutating func keys(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = next() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The keys of what waits, since nothing follows at once.
    mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending.first == 0x1B ? [.escape] : []
    }

    /// Nil when bytes are missing.
    private func next() -> (key: Key?, length: Int)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 1...26: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0..<0x20: return (nil, 1)
        default: return character(first)
        }
    }

    private func character(_ first: UInt8) -> (Key?, Int)? {
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard pending.count >= length else { return nil }
        guard let text = String(validating: pending[..<length], as: UTF8.self) else { return (nil, 1) }
        return (text.first.map(Key.character), length)
    }

    private func sequence() -> (Key?, Int)? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        guard let end = pending.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else {
            return pending.count > Self.longestSequence ? (nil, pending.count) : nil
        }
        // Of an arrow, a modifier stands before the letter; of an editing key, after its number.
        let letter = pending[end...end]
        let number = letter == [UInt8(ascii: "~")] ? pending[2..<end].prefix { $0 != UInt8(ascii: ";") } : []
        return (Self.sequences[String(decoding: number + letter, as: UTF8.self)], end + 1)
    }

    private static let sequences: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "7~": .home, "4~": .end,
        "8~": .end, "5~": .pageUp, "6~": .pageDown,
    ]
}

extension Key {
    private static let names: [Key: String] = [
        .character(" "): "space", .enter: "⏎", .escape: "esc", .backspace: "⌫", .tab: "tab", .up: "↑", .down: "↓",
        .left: "←", .right: "→", .pageUp: "PgUp", .pageDown: "PgDn", .home: "Home", .end: "End",
    ]

    var name: String {
        switch self {
        case .control(let letter): "^" + letter.uppercased()
        case .character(let character) where character != " ": String(character)
        default: Self.names[self] ?? ""
        }
    }
}
