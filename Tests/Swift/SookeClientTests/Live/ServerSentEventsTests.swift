import Testing

@testable import SookeClient

@Suite struct ServerSentEventsTests {
    typealias Item = ServerSentEvents.Item

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let items: [Item]

        init(_ text: String, _ items: Item...) { (self.text, self.items) = (text, items) }

        var testDescription: String { text.debugDescription }
    }

    private static func event(_ data: String, type: String = "message", id: String? = nil) -> Item {
        .event(ServerSentEvents.Event(type: type, data: Array(data.utf8), id: id))
    }

    static let rows = [
        Row(""), Row("data: a\n\n", event("a")), Row("data: a\r\n\r\n", event("a")), Row("data: a\r\r", event("a")),
        Row("data: a\r\n\ndata: b\n\r\n", event("a"), event("b")),
        Row("data: a\n\rdata: b\r\n\r", event("a"), event("b")), Row("data: a\n"), Row("data: a"),
        Row("\u{FEFF}data: a\n\n", event("a")), Row("\u{FEFF}\ndata: a\n\n", event("a")),
        Row("\u{FEFF}\u{FEFF}data: a\n\n"), Row("data: a\n\n\u{FEFF}data: b\n\n", event("a")), Row(": a comment\n\n"),
        Row(":\ndata: a\n:b\n\n", event("a")), Row("data: a\ndata:b\ndata:  c\n\n", event("a\nb\n c")),
        Row("data\n\ndata\ndata\n\ndata:", event(""), event("\n")), Row("data:a: b\n\n", event("a: b")),
        Row("event: reset\nid: 0\ndata: {}\n\n", event("{}", type: "reset", id: "0")),
        Row("event: a\nevent: b\ndata: c\n\ndata: d\n\n", event("c", type: "b"), event("d")),
        Row("event: a\n\ndata: b\n\n", event("b")), Row("event:\ndata: b\n\n", event("b")),
        Row("id: 7.a\n\n", .id("7.a")), Row("id: 7\n\ndata: a\n\n", .id("7"), event("a")),
        Row("id\ndata: a\n\n", event("a", id: "")), Row("id: 1\nid: 2\n\n", .id("2")),
        Row("id: 1\nid: a\u{0}b\ndata: c\n\n", event("c", id: "1")), Row("id: \u{0}\n\n"),
        Row("retry: 250\n\n", .retry(250)),
        Row("retry: 2s\nretry:\nretry: -1\nretry: 99999999999999999999\n\n"),
        Row("unknown: a\nDATA: b\n data: c\ndata : d\n\n"), Row("data: é😀\u{0}\n\n", event("é😀\u{0}")),
    ]

    private static func items(_ parts: [ArraySlice<UInt8>]) throws -> [Item] {
        var parser = ServerSentEvents()
        var items: [Item] = []
        for part in parts { try parser.read(Array(part), into: &items) }
        return items
    }

    @Test(arguments: rows)
    func parses(row: Row) throws {
        let bytes = Array(row.text.utf8)[...]
        #expect(try Self.items([bytes]) == row.items)
        #expect(try Self.items(bytes.indices.map { bytes[$0...$0] }) == row.items, "byte by byte")
        for index in bytes.indices {
            #expect(try Self.items([bytes[..<index], bytes[index...]]) == row.items, "split at \(index)")
        }
    }

    @Test func replacesInvalidText() throws {
        #expect(try Self.items([[0x69, 0x64, 0x3A, 0xFF, 10, 10]]) == [.id("\u{FFFD}")])
    }

    @Test(arguments: [
        "data: 1234567890123456", "data: 12345678\ndata: 12345678\n", ": 123456789012345678",
        "event: 12345678\nid: 12345678\n",
    ])
    func limitsEvents(text: String) throws {
        let first = Array("data: a\n\n".utf8)
        for bytes in [[first + Array(text.utf8)], (first + Array(text.utf8)).map { [$0] }] {
            var parser = ServerSentEvents(limit: 16)
            var items: [Item] = []
            #expect(throws: ServerSentEvents.TooLong(limit: 16)) {
                for part in bytes { try parser.read(part, into: &items) }
            }
            #expect(items == [Self.event("a")])
            #expect(throws: ServerSentEvents.TooLong.self, "also later") { try parser.read([10, 10], into: &items) }
        }
        var parser = ServerSentEvents(limit: 16)
        var items: [Item] = []
        try parser.read(Array("data: 1234567890\n\n: 12345678901234\n\n".utf8), into: &items)
        #expect(items == [Self.event("1234567890")])
    }
}
