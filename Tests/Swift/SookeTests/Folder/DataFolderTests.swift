import Testing

@testable import sooke

/// How a command reaches the town in a folder.
@Suite struct DataFolderTests {
    private static let locked = CommandError(.locked, "another process uses it")

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The way that the work was done, and how often this process has tried to do it.
    private func work(
        patience: Duration = DataFolder.patience, orHere unserved: (_ attempt: Int) throws(CommandError) -> Void
    ) throws(CommandError) -> (way: String, attempts: Int) {
        var attempts = 0
        let way = try DataFolder.work(on: folder.path, patience: patience) { client throws(CommandError) in
            try client.send(AdminCall(.get, "/"))
            return String(decoding: try client.body(), as: UTF8.self)
        } orHere: { () throws(CommandError) in
            attempts += 1
            try unserved(attempts)
            return "here"
        }
        return (way, attempts)
    }

    private func makeServer() -> TinyServer? {
        try? TinyServer(
            at: "\(folder.path)/admin.sock", response: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nserved")
    }

    @Test func asksTheServer() throws {
        let server = try #require(makeServer())
        #expect(try work { _ in } == ("served", 0))
        _ = server.receivedRequest()
    }

    @Test func asksTheServerThatStartsMeanwhile() throws {
        var server: TinyServer?
        let result = try work { attempt throws(CommandError) in
            if attempt == 3 { server = makeServer() }
            throw Self.locked
        }
        #expect(result == ("served", 3))
        _ = server?.receivedRequest()
    }

    @Test func worksHereWhenTheOtherProcessEnds() throws {
        let result = try work { attempt throws(CommandError) in
            if attempt < 4 { throw Self.locked }
        }
        #expect(result == ("here", 4))
    }

    @Test func endsWhenTheTimeIsOver() throws {
        #expect(throws: Self.locked) { try work(patience: .zero) { _ throws(CommandError) in throw Self.locked } }
    }
}
