import Bytes

/// Reads words, numbers and signs of opening hours, ignoring case and spaces.
struct HoursScanner {
    private let bytes: [UInt8]
    private(set) var index = 0

    init(_ text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isRemark = false
        for scalar in text.unicodeScalars {
            if scalar == "\"" { isRemark.toggle() }
            if !isRemark, let plain = Self.plain(scalar) { bytes.append(plain) } else { bytes += scalar.utf8 }
        }
        self.bytes = bytes
    }

    /// The sign that is meant by one that looks the same; one character for one, so that positions stay.
    private static func plain(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        // Hyphens, dashes and the minus sign.
        case 0x2010...0x2015, 0x2212, 0xFE58, 0xFF0D: UInt8(ascii: "-")
        // Tabs, ends of lines and spaces of other widths.
        case 0x09, 0x0A, 0x0D, 0xA0, 0x2000...0x200A, 0x202F, 0x3000: UInt8(ascii: " ")
        case 0xFF1A: UInt8(ascii: ":")
        default: nil
        }
    }

    mutating func isAtEnd() -> Bool {
        skipSpaces()
        return index == bytes.count
    }

    mutating func error(_ expected: String) -> OpeningHoursError {
        skipSpaces()
        // People count characters, not bytes.
        let before = String(decoding: bytes[..<index], as: UTF8.self)
        return OpeningHoursError(position: before.count + 1, expected: expected)
    }

    mutating func skip(_ sign: Character) -> Bool {
        skipSpaces()
        guard index < bytes.count, bytes[index] == sign.asciiValue else { return false }
        index += 1
        return true
    }

    mutating func skipSignOrDigit() -> Bool {
        guard index < bytes.count, ASCII.isDigit(bytes[index]) || "-+,;:./|()[]".utf8.contains(bytes[index]) else {
            return false
        }
        index += 1
        return true
    }

    mutating func isNext(_ sign: Character) -> Bool {
        skipSpaces()
        return index < bytes.count && bytes[index] == sign.asciiValue
    }

    mutating func skip(word: String) -> Bool {
        guard nextWord() == word else { return false }
        index += word.utf8.count
        return true
    }

    /// The word that is next, in lower case; empty when there is none.
    mutating func nextWord() -> String {
        skipSpaces()
        var end = index
        while end < bytes.count, ASCII.isLetter(bytes[end]) { end += 1 }
        return String(decoding: bytes[index..<end], as: UTF8.self).lowercased()
    }

    /// The index of the next word, which has the beginning of a name in the list: `Mo`, `Mon` or `Monday`.
    mutating func skip(oneOf names: [String], shortest: Int) -> Int? {
        let word = nextWord()
        guard word.utf8.count >= shortest, let found = names.firstIndex(where: { $0.hasPrefix(word) }) else {
            return nil
        }
        index += word.utf8.count
        return found
    }

    func nextNumber() -> (value: Int, digits: Int)? {
        var (end, value) = (index, 0)
        while end < bytes.count, end - index < 4, let digit = ASCII.decimalValue(bytes[end]) {
            value = value * 10 + digit
            end += 1
        }
        return end == index ? nil : (value, end - index)
    }

    /// Skips a number in a range, if one is next and it is not the hour of a time.
    mutating func skipNumber(in range: ClosedRange<Int>, digits: ClosedRange<Int>) -> Int? {
        skipSpaces()
        guard let (value, count) = nextNumber(), digits.contains(count), range.contains(value) else { return nil }
        let end = index + count
        if isDigit(at: end) || isTimeSign(at: end) && isDigit(at: end + 1) { return nil }
        index = end
        return value
    }

    /// Skips an hour without minutes up to 24: the minutes since midnight.
    mutating func skipHour() -> Int? {
        skipSpaces()
        guard let (hour, count) = nextNumber(), count <= 2, hour <= 24 else { return nil }
        let end = index + count
        // As in 24/7, 9am, 10:5 or 2026.
        if end < bytes.count, "/:.[]".utf8.contains(bytes[end]) || isDigit(at: end) || ASCII.isLetter(bytes[end]) {
            return nil
        }
        index = end
        return hour * 60
    }

    /// Skips a time `H:MM` or `HH:MM` up to 48:00, perhaps with a dot: the minutes since midnight.
    mutating func skipTime() -> Int? {
        skipSpaces()
        guard let (hour, count) = nextNumber(), count <= 2, index + count + 2 < bytes.count,
            isTimeSign(at: index + count), !isDigit(at: index + count + 3),
            let tens = ASCII.decimalValue(bytes[index + count + 1]),
            let ones = ASCII.decimalValue(bytes[index + count + 2])
        else { return nil }
        let minutes = hour * 60 + tens * 10 + ones
        guard tens < 6, minutes <= 2880 else { return nil }
        index += count + 3
        return minutes
    }

    private func isTimeSign(at index: Int) -> Bool {
        index < bytes.count && (bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "."))
    }

    private func isDigit(at index: Int) -> Bool {
        index < bytes.count && ASCII.isDigit(bytes[index])
    }

    /// Skips a remark in quotation marks; nil when none is next, or its end is missing.
    mutating func skipComment() -> String? {
        guard isNext("\"") else { return nil }
        guard let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        defer { index = end + 1 }
        return String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
    }

    mutating func goBack(to index: Int) {
        self.index = index
    }

    private mutating func skipSpaces() {
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
    }
}
