import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct AdminClientTests {
    private let folder: TemporaryFolder
    private var socketPath: String { "\(folder.path)/admin.sock" }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func asksAndReadsTheAnswer() throws {
        let server = try TinyServer(
            at: socketPath, response: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        )
        let response = try exchange(AdminCall(.get, "/api/v1/admin/status"))
        #expect(response == Received(status: 200, body: "{}"))
        #expect(
            server.receivedRequest()
                == "GET /api/v1/admin/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Sooke-Folder: \(try FolderIdentity(folder.path))\r\n\r\n")
    }

    @Test func sendsABody() throws {
        let server = try TinyServer(
            at: socketPath, response: "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nmade")
        var call = AdminCall(.post, "/import", body: Array("name\nGumboot Coffee\n".utf8))
        call.bodyType = "text/csv"
        #expect(try exchange(call) == Received(status: 201, body: "made"))
        #expect(
            server.receivedRequest() == """
                POST /import HTTP/1.1\r
                Host: localhost\r
                Connection: close\r
                Sooke-Folder: \(try FolderIdentity(folder.path))\r
                Content-Type: text/csv\r
                Content-Length: 20\r
                \r
                name
                Gumboot Coffee\n
                """)
    }

    @Test func readsChunks() throws {
        let server = try TinyServer(
            at: socketPath,
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\none\r\na\r\n, two, thr\r\n2\r\nee\r\n0\r\n\r\n")
        #expect(try exchange(AdminCall(.get, "/")) == Received(status: 200, body: "one, two, three"))
        _ = server.receivedRequest()
    }

    /// A server that responds before it has read a body of any length must not block the client for ever.
    @Test func takesAnEarlyAnswer() throws {
        let server = try TinyServer(
            at: socketPath, response: "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig", readsRequest: false)
        let call = AdminCall(.post, "/import", body: [UInt8](repeating: 0x78, count: 1 << 24))
        #expect(try exchange(call) == Received(status: 413, body: "big"))
        _ = server.receivedRequest()
    }

    @Test func reachesASocketWithALongPath() throws {
        let name = String(repeating: "a-long-name-", count: 12)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        // The server's own address must be short: it is bound elsewhere and moved.
        let server = try TinyServer(at: socketPath, response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        try FileManager.default.moveItem(atPath: socketPath, toPath: "\(folder.path)/\(name)/admin.sock")
        let response = try exchange(AdminCall(.get, "/"), in: "\(folder.path)/\(name)")
        #expect(response?.body == "ok")
        _ = server.receivedRequest()
    }

    @Test func findsNoServerThatIsNotThere() throws {
        #expect(try exchange(AdminCall(.get, "/")) == nil)
        #expect(try exchange(AdminCall(.get, "/"), in: "\(folder.path)/missing") == nil)
        close(try TinyServer.listen(at: socketPath))
        #expect(try exchange(AdminCall(.get, "/")) == nil, "behind an old socket")
    }

    @Test(arguments: [
        ("+PONG\r\n\r\n", "it does not speak HTTP"),
        ("HTTP/1.1 200 OK\r\nContent-Length: nine\r\n\r\n", "the length of its response is not a number"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "the size of a chunk is not a number"),
        (String(repeating: "x", count: 100_000), "a line of it is too long"),
    ])
    func tellsFromABadAnswer(response: String, why: String) throws {
        let server = try TinyServer(at: socketPath, response: response)
        let error = CommandError(.unavailable, "the server at \(socketPath) cannot be understood: \(why)")
        #expect(throws: error) { try exchange(AdminCall(.get, "/")) }
        _ = server.receivedRequest()
    }

    /// It is unknown whether a change was made when the server has the whole request and stops.
    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhal",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhal\r\n",
    ])
    func tellsWhatIsKnownWhenTheServerStops(response: String) throws {
        let stopped = "the server at \(socketPath) stopped before it answered"
        for (doubt, error) in [
            (nil, CommandError(.unavailable, stopped)),
            ("look", CommandError(.unanswered, "the server stopped before it answered; look")),
        ] {
            unlink(socketPath)
            let server = try TinyServer(at: socketPath, response: response)
            var call = AdminCall(.post, "/", body: [1, 2])
            call.doubt = doubt
            #expect(throws: error) { try exchange(call) }
            _ = server.receivedRequest()
        }
    }

    /// A server that has only a part of the request cannot have made a change.
    @Test func tellsThatNothingWasChangedWhenTheServerStopsEarly() throws {
        let server = try TinyServer(at: socketPath, response: "", readsRequest: false)
        let call = AdminCall(.post, "/", body: [UInt8](repeating: 0x78, count: 1 << 24))
        let message = "the server at \(socketPath) stopped before it had the whole request; nothing was changed"
        #expect(throws: CommandError(.unavailable, message)) {
            try exchange(call)
        }
        _ = server.receivedRequest()
    }

    /// Whoever can write to the folder could listen there.
    @Test(arguments: [(0o777, false), (0o702, false), (0o770, true), (0o755, true)])
    func refusesAFolderThatEverybodyCanWriteTo(mode: Int, isTrusted: Bool) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let message =
            "every user can write to \(folder.path) and replace what is in it. Run: chmod go-w \(folder.path)"
        if isTrusted {
            #expect(try exchange(AdminCall(.get, "/")) == nil)
        } else {
            #expect(throws: CommandError(.notPermitted, message)) {
                try exchange(AdminCall(.get, "/"))
            }
        }
    }

    private struct Received: Equatable {
        let status: Int
        let body: String
    }

    /// The response of the server in the folder; nil when there is none.
    private func exchange(_ call: AdminCall, in folder: String? = nil) throws -> Received? {
        guard var client = try AdminClient.connect(to: folder ?? self.folder.path) else { return nil }
        try client.send(call)
        let body = try client.body()
        return Received(status: client.status, body: String(decoding: body, as: UTF8.self))
    }
}
