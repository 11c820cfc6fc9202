import Bytes
import Service
import Testing

@testable import Site

/// Codes that a phone reads, against those that the package `qrcode` makes with the same mask.
@Suite struct QRCodeTests {
    @Test func theShortest() throws {
        let code = try #require(QRCode("town.ca/week"))
        let rows = (0..<code.size).map { y in
            String((0..<code.size).map { code.isDark[y * code.size + $0] ? "#" : "." })
        }
        #expect(rows == Self.rows)
    }

    /// A text of each version, by the beginning of the SHA-256 of its rows.
    @Test(arguments: [
        (String(repeating: "a", count: 14), 21, "17fcfedfc26b831c"),
        ("https://town.example/week", 25, "a43e549a81f4269e"),
        (String(repeating: "b", count: 26), 25, "e747ed041dde7e1e"),
        (String(repeating: "c", count: 27), 29, "21505a6758b51249"),
        (String(repeating: "d", count: 62), 33, "573d7cb78dbf78c5"),
        (String(repeating: "e", count: 84), 37, "4b805831bc7a1cb7"),
        ("https://sooke.example.org/" + String(repeating: "f", count: 80), 41, "1d4d646faba0adf2"),
    ])
    func versions(text: String, size: Int, digest: String) throws {
        let code = try #require(QRCode(text))
        #expect(code.size == size)
        let rows = (0..<size).map { y in code.isDark[y * size..<(y + 1) * size].map { $0 ? "#" : "." }.joined() }
        #expect(Hex.encode(SHA256.digest(Array(rows.joined(separator: "\n").utf8))).hasPrefix(digest))
    }

    @Test func aLongerTextHasNone() { #expect(QRCode(String(repeating: "g", count: 107)) == nil) }
}

extension QRCodeTests {
    private static let rows = [
        "#######..#.##.#######",
        "#.....#.#..##.#.....#",
        "#.###.#..#....#.###.#",
        "#.###.#....##.#.###.#",
        "#.###.#.#####.#.###.#",
        "#.....#..###..#.....#",
        "#######.#.#.#.#######",
        ".........#...........",
        "#.#.#.#.....#...#..#.",
        "#.###....###..###.###",
        "#..#####..##.#..##.##",
        "..###...#####......#.",
        "#.######...#.#..##.##",
        "........#.##...##...#",
        "#######.....##.###.##",
        "#.....#..#..#...#..#.",
        "#.###.#.###.....#..#.",
        "#.###.#..####..##.##.",
        "#.###.#.#########...#",
        "#.....#........###.#.",
        "#######.##.##..#...##",
    ]
}
