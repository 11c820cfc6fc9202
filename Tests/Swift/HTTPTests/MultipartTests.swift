import Bytes
import Testing

@testable import HTTP

/// Forms with files, as browsers send them.
@Suite struct MultipartTests {
    private static func parts(_ body: String, boundary: String = "b") throws -> [(String, String?, String)] {
        let bytes = Array(body.utf8)
        let type = Array("multipart/form-data; boundary=\(boundary)".utf8)
        return try Multipart.parts(in: bytes, as: type[...]).map {
            ($0.name, $0.fileName, String(decoding: bytes[$0.content], as: UTF8.self))
        }
    }

    private static let field = "Content-Disposition: form-data; name="

    @Test(
        arguments: [
            ("--b\r\n\(field)\"a\"\r\n\r\n1\r\n--b--\r\n", "a nil 1"),
            ("--b\r\n\(field)\"a\"\r\n\r\n\r\n--b--", "a nil "),
            (
                "--b\r\n\(field)a; filename=\"x; y.csv\"\r\nContent-Type: text/csv\r\n\r\n1\r\n2\r\n\r\n--b--",
                "a x; y.csv 1\r\n2\r\n"
            ),
            ("--b\r\n\(field)\"a\"; filename=\"%22q%22 100%.csv\"\r\n\r\n--c\r\n--b--", "a \"q\" 100%.csv --c"),
            ("before\r\n--b\r\ncontent-disposition: form-data; name=\"é\"\r\n\r\n1\r\n--b--after", "é nil 1"),
            ("--b\r\n\r\nnobody's\r\n--b--", " nil nobody's"), ("--b\r\n\(field)\"a\"\r\n\r\n--b--", "a nil "),
            ("--b--", ""),
        ])
    func partsAreFound(body: String, found: String) throws {
        let parts = try Self.parts(body).map { "\($0.0) \($0.1 ?? "nil") \($0.2)" }
        #expect(parts.joined(separator: " | ") == found)
    }

    @Test(
        arguments: [
            "", "-", "--b", "--b\r\n\r\n", "--b\r\n\(field)\"a\"\r\n\r\n1", "--b\r\n\(field)\"a\"\r\n\r\n1\r\n--b",
            "--b\r\n\(String(repeating: "x", count: 5_000))\r\n\r\n1\r\n--b--",
            String(repeating: "--b\r\n\r\n\r\n", count: 101) + "--b--",
        ])
    func whatIsNotWholeIsRefused(body: String) { #expect(throws: HTTPError.self) { try Self.parts(body) } }

    @Test(arguments: ["", "\"\"", String(repeating: "b", count: 71)])
    func boundariesHaveALength(boundary: String) {
        #expect(throws: HTTPError.self) { try Self.parts("--\(boundary)--", boundary: boundary) }
    }

    /// Any bytes are read or refused.
    @Test func damageIsNoTrap() {
        var random = SplitMix64(seed: 49)
        let pieces = ["--b", "\r\n", "--", "\r\n\r\n", Self.field, "\"", ";", "=", "a", "filename", "%22", "\u{0}"]
        for _ in 0..<2_000 {
            let body = (0..<random.next() % 20).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
            _ = try? Self.parts((random.next() % 2 == 0 ? "--b\r\n" : "") + body.joined())
        }
    }
}
