import Testing

@testable import sooke

@Suite struct EventStreamReaderTests {
    private typealias Event = EventStreamReader.Event

    private static let stream =
        "event: reset\ndata: {}\n\nevent: event\ndata: {\"id\":1}\n\nevent:event\nid:2.a\ndata:{\"id\":2}\n\nid: 3.b\n\n\n"
    private static let events = [
        Event(type: "reset", data: Array("{}".utf8)),
        Event(type: "event", data: Array("{\"id\":1}".utf8)),
        Event(type: "event", id: "2.a", data: Array("{\"id\":2}".utf8)),
        Event(id: "3.b"),
    ]

    @Test(arguments: [1, 2, 7, 1000])
    func readsPiecesOfAnySize(size: Int) {
        var reader = EventStreamReader()
        var (events, rest) = ([Event](), Array(Self.stream.utf8)[...])
        while !rest.isEmpty {
            events += reader.read(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(events == Self.events)
    }

    @Test func ignoresCommentsAndUnfinishedEvents() {
        var reader = EventStreamReader()
        #expect(reader.read(Array(": hello\n\nretry: 3\n\nid: 1.a\ndata: x\n".utf8)).isEmpty)
    }
}
