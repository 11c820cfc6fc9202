/// An address as a code that a phone reads from paper: a QR code (ISO/IEC 18004) of bytes, with error correction of
/// level M, up to version 6, always with the first mask.
struct QRCode {
    /// How many modules it has in a row.
    let size: Int
    private(set) var isDark: [Bool]
    /// The modules without data.
    private var isPattern: [Bool]

    /// By version: the bytes of data and of error correction of each block, and the blocks.
    private static let versions = [(16, 10, 1), (28, 16, 1), (44, 26, 1), (32, 18, 2), (43, 24, 2), (27, 16, 4)]

    /// Nil for a text of more than 106 bytes.
    init?(_ text: String) {
        let bytes = [UInt8](text.utf8)
        // The mode and the length take two bytes, with the end of the data.
        guard let version = Self.versions.firstIndex(where: { $0.0 * $0.2 >= bytes.count + 2 }) else { return nil }
        let (data, correction, blocks) = Self.versions[version]
        size = 21 + 4 * version
        isDark = [Bool](repeating: false, count: size * size)
        isPattern = isDark
        drawPatterns()
        fill(Self.interleaved(Self.encoded(bytes, count: data * blocks), data, correction))
    }

    func markup(_ label: String) -> HTML {
        let path = isDark.indices.filter { isDark[$0] }.map { "M\($0 % size) \($0 / size)h1v1h-1z" }.joined()
        return """
            <svg class="code" viewBox="-4 -4 \(size + 8) \(size + 8)" shape-rendering="crispEdges" role="img" \
            aria-label="\(label)"><path d="\(path)"/></svg>
            """
    }

    /// Four bits say that these are bytes, and eight how many; so the bytes are half a byte later.
    private static func encoded(_ bytes: [UInt8], count: Int) -> [UInt8] {
        var halves = [4, UInt8(bytes.count >> 4), UInt8(bytes.count & 15)]
        for byte in bytes { halves += [byte >> 4, byte & 15] }
        halves.append(0)
        let encoded = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
        return encoded + (0..<(count - encoded.count)).map { $0.isMultiple(of: 2) ? 0xEC : 0x11 }
    }

    /// The first bytes of all blocks, then the second ones, …, then in the same way those of their correction.
    private static func interleaved(_ bytes: [UInt8], _ data: Int, _ correction: Int) -> [UInt8] {
        let blocks = stride(from: 0, to: bytes.count, by: data).map { Array(bytes[$0..<($0 + data)]) }
        let corrections = blocks.map { Self.correction(of: $0, count: correction) }
        return (0..<data).flatMap { index in blocks.map { $0[index] } }
            + (0..<correction).flatMap { index in corrections.map { $0[index] } }
    }

    /// The rest of a division by a polynomial over GF(256), as Reed and Solomon do it.
    private static func correction(of block: [UInt8], count: Int) -> [UInt8] {
        var (divisor, root) = ([UInt8](repeating: 0, count: count - 1) + [1], UInt8(1))
        for _ in 0..<count {
            for index in divisor.indices {
                divisor[index] = product(divisor[index], root) ^ (index + 1 < count ? divisor[index + 1] : 0)
            }
            root = product(root, 2)
        }
        return block.reduce(into: [UInt8](repeating: 0, count: count)) { rest, byte in
            let factor = byte ^ rest[0]
            rest = zip(rest[1...] + [0], divisor).map { $0 ^ product($1, factor) }
        }
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(UInt8(0)) { sum, bit in
            let doubled = sum << 1 ^ (sum >> 7) * 0x1D
            return doubled ^ (right >> UInt8(bit) & 1) * left
        }
    }

    private mutating func set(_ x: Int, _ y: Int, _ dark: Bool) {
        guard 0..<size ~= x, 0..<size ~= y else { return }
        (isDark[y * size + x], isPattern[y * size + x]) = (dark, true)
    }

    private mutating func drawPatterns() {
        for index in 0..<size {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        drawSquare(3, 3, reach: 4, light: [2, 4])
        drawSquare(size - 4, 3, reach: 4, light: [2, 4])
        drawSquare(3, size - 4, reach: 4, light: [2, 4])
        if size > 21 { drawSquare(size - 7, size - 7, reach: 2, light: [1]) }
        // Level and mask with their correction, twice.
        for index in 0..<15 {
            let isSet = 0x5412 >> index & 1 == 1
            if index < 8 { set(8, index < 6 ? index : index + 1, isSet) }
            if index < 8 { set(size - 1 - index, 8, isSet) } else { set(8, size - 15 + index, isSet) }
            if index > 7 { set(index < 9 ? 7 : 14 - index, 8, isSet) }
        }
        set(8, size - 8, true)
    }

    private mutating func drawSquare(_ x: Int, _ y: Int, reach: Int, light: [Int]) {
        for dx in -reach...reach {
            for dy in -reach...reach { set(x + dx, y + dy, !light.contains(max(abs(dx), abs(dy)))) }
        }
    }

    /// In columns of two from the right, up and down in turn, around the patterns.
    private mutating func fill(_ bytes: [UInt8]) {
        var index = 0
        for (number, right) in (Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]).enumerated() {
            for step in 0..<size {
                let y = number.isMultiple(of: 2) ? size - 1 - step : step
                for x in [right, right - 1] where !isPattern[y * size + x] {
                    let isSet = index < 8 * bytes.count && bytes[index / 8] << UInt8(index % 8) & 128 > 0
                    isDark[y * size + x] = isSet != (x + y).isMultiple(of: 2)
                    index += 1
                }
            }
        }
    }
}
