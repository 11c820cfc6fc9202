import Synchronization
import Testing

@testable import HTTP

/// The sender of a request behind a proxy.
@Suite struct TrustedProxiesTests {
    @Test(arguments: [
        ([], "127.0.0.1"), (["192.0.2.7"], "192.0.2.7"), (["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
        (["6.6.6.6", "192.0.2.7"], "192.0.2.7"), (["192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        (["192.0.2.7, 10.0.0.2, 127.0.0.1"], "192.0.2.7"), (["10.0.0.2"], "10.0.0.2"),
        (["2001:DB8::0:7"], "2001:db8::7"), (["::ffff:192.0.2.7"], "192.0.2.7"), (["unknown"], "127.0.0.1"),
        (["192.0.2.7, unknown"], "127.0.0.1"), (["192.0.2.7, unknown, 10.0.0.2"], "10.0.0.2"), ([""], "127.0.0.1"),
        (["192.0.2.7,"], "127.0.0.1"), (["localhost"], "127.0.0.1"), (["192.0.2.7:80"], "127.0.0.1"),
    ])
    func theLastThatIsNoProxyOfOurs(fields: [String], client: String) throws {
        let proxies = TrustedProxies(["127.0.0.1", "10.0.0.2"])
        let proxy = Peer.inet(address: "127.0.0.1", port: 1, isLoopback: true)
        let request = try Request(.get, "/", headers: fields.map { ("X-Forwarded-For", $0) })
        guard case .inet(let address, _, _) = proxies.client(of: request.headers, behind: proxy) else {
            Issue.record("no address")
            return
        }
        #expect(address == client)
    }

    @Test func onlyTheirWordIsTaken() throws {
        let field = "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
        for (proxies, client) in [([], "127.0.0.1"), (["127.0.0.1"], "192.0.2.7"), (["10.0.0.2"], "127.0.0.1")] {
            let settings = ConnectionSettings(
                limits: HTTPLimits(), admitBody: { _ in BodyAdmission(limit: 0) }, hasPriority: { _ in false },
                proxies: TrustedProxies(proxies))
            var state = ConnectionState(
                settings: settings, peer: .inet(address: "127.0.0.1", port: 1, isLoopback: true), now: 0)
            var offset = 0
            let bytes = Array(field.utf8)
            guard case .request = state.step(bytes.span, &offset, now: 0), let request = state.request,
                case .inet(let address, _, _) = request.peer
            else {
                Issue.record("no request")
                continue
            }
            #expect(address == client)
            #expect(state.exchange.peer == request.peer)
        }
    }

    /// Once, whoever names whom how often.
    @Test func reportsAProxyThatNobodyNamed() throws {
        let found = Mutex<[String]>([])
        let unknown = UnknownProxy { address in found.withLock { $0.append(address) } }
        let local = Peer.inet(address: "127.0.0.1", port: 1, isLoopback: true)
        let plain = try Request(.get, "/", headers: [("Forwarded", "for=192.0.2.7")])
        let forwarded = try Request(.get, "/", headers: [("X-Forwarded-For", "192.0.2.7")])
        unknown.check(plain.headers, of: local)
        unknown.check(forwarded.headers, of: .inet(address: "192.0.2.9", port: 1, isLoopback: false))
        unknown.check(forwarded.headers, of: .local(uid: 0, pid: 0))
        #expect(found.withLock { $0 } == [])
        for _ in 0..<3 { unknown.check(forwarded.headers, of: local) }
        #expect(found.withLock { $0 } == ["127.0.0.1"])
    }
}
