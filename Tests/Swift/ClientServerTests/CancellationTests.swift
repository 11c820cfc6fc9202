import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import SookeClient

/// Clients of a real server that change their minds. A cancellation that hangs or ends the process fails all of them.
@Suite(.timeLimit(.minutes(20))) struct CancellationTests {
    /// Rounds of each test: `SOOKE_CLIENT_ROUNDS=100` makes ten times as many as `swift test` alone.
    private static let scale = Int(ProcessInfo.processInfo.environment["SOOKE_CLIENT_ROUNDS"] ?? "") ?? 10

    @Test func requests() async throws {
        let server = try RealServer()
        let client = server.client
        for round in 0..<100 * Self.scale {
            let task = Task { () async throws -> ListResponse<SookeClient.Category> in
                try await client.get(APIPath.categories)
            }
            if round % 3 == 0 { await Task.yield() }
            // At any time between the request and its response.
            if round % 5 == 0 { try await Task.sleep(for: .microseconds(round % 700)) }
            if round % 100 == 0 { #expect(try await task.value.items.count > 5) }
            task.cancel()
            guard case .failure(let error) = await task.result else { continue }
            #expect(error is CancellationError)
        }
        let page: PaginatedResponse<Business> = try await client.get(APIPath.businesses)
        #expect(page.items.count == 20)
    }

    @Test(.enabled(if: (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains(" lo\n") == true))
    func anAddressOfIPv6() async throws {
        let server = try RealServer("--host", "::1")
        #expect(server.baseURL.hasPrefix("http://[::1]:"))
        #expect(await LiveChanges.wholeVersion(server.client).businesses().count == 40)
    }

    /// Streams end at any time too, also while they connect.
    @Test(arguments: [false, true])
    func streams(overTLS: Bool) async throws {
        let server = try RealServer()
        let proxy = overTLS ? try TLSProxy(of: server) : nil
        defer { proxy?.kill() }
        let client = proxy.map { APIClient(baseURL: $0.url) } ?? server.client
        try await CurlTransfer.$certificates.withValue(proxy?.certificate) {
            for round in 0..<(overTLS ? 5 : 20) * Self.scale {
                let task = Task {
                    var replica = TownReplica()
                    for await element in LiveChanges(client) where replica.apply(element, at: Date()) { return replica }
                    return replica
                }
                if round % 50 == 0 { #expect(await task.value.businesses().count == 40) }
                if round % 3 > 0 { try await Task.sleep(for: .microseconds(round * 13 % 5000)) }
                task.cancel()
                _ = await task.value
            }
        }
    }

    @Test func aCertificateThatIsNotTrusted() async throws {
        let server = try RealServer()
        let proxy = try TLSProxy(of: server)
        defer { proxy.kill() }
        for await element in LiveChanges(APIClient(baseURL: proxy.url)) {
            guard case .disconnected(let error, _) = element else { continue }
            #expect((error as? URLError)?.code == .serverCertificateUntrusted)
            break
        }
    }

    /// A server that sends clients on, to another address or to TLS.
    @Test func redirects() async throws {
        let (first, second) = (try StreamServer(), try StreamServer())
        let script = Task {
            let refused = await first.next()
            refused.open(301, ["Location": second.client.baseURL + APIPath.changes + "?since=7"])
            refused.end()
            let exchange = await second.next()
            #expect(exchange.position == "7" && exchange.head.contains("Authorization: Bearer secret\r\n"))
            exchange.open()
            exchange.send(FeedText.bookmark("8"))
        }
        var elements: [String] = []
        for await element in LiveChanges(first.client, since: "7") {
            elements.append("\(element)")
            if elements.count == 2 { break }
        }
        #expect(elements == ["connected", "bookmark 8"])
        await script.value
    }
}

/// A proxy with TLS before a server.
private final class TLSProxy {
    let url: String
    let certificate: String
    private let folder: URL
    private let process: ChildProcess

    private static let program = ProjectFolder.file("Tests/Binary/Browse/tls_proxy.py")

    init(of server: RealServer) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sooke-proxy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = URL(string: server.baseURL)?.port ?? 0
        process = try ChildProcess("/usr/bin/env", ["python3", Self.program.path, folder.path, "\(port)"])
        let text = try process.output(containing: ".\n")
        url = "https://127.0.0.1:" + text.filter(\.isNumber)
        certificate = folder.appending(path: "certificate.pem").path
    }

    func kill() {
        process.kill()
        try? FileManager.default.removeItem(at: folder)
    }
}
