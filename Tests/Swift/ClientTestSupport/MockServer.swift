import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

import SookeClient

/// A server that exists only in the session of its client, as in the tests of the town's app.
final class MockServer: Sendable {
    /// A request that waits for its response.
    struct Pending: Sendable {
        let request: URLRequest
        let respond: @Sendable (_ status: Int, _ headers: [String: String], _ body: String) -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var requests: [URLRequest] = []
        var pending: [Pending] = []
    }

    /// Responds to a request at once; nil leaves it waiting.
    typealias Handler = @Sendable (URLRequest) -> (status: Int, body: String)?
    /// Responds to each request as soon as it can.
    typealias Responder = @Sendable (URLRequest) async -> (status: Int, headers: [String: String], body: String)

    fileprivate static let all = Mutex<[String: MockServer]>([:])

    private let host = "\(UUID().uuidString.lowercased()).example"
    private let state = Mutex(State())
    private let handler: Handler
    private let responder: Responder?

    init(_ handler: @escaping Handler = { _ in nil }) {
        (self.handler, responder) = (handler, nil)
        Self.all.withLock { $0[host] = self }
    }

    init(responder: @escaping Responder) {
        (handler, self.responder) = ({ _ in nil }, responder)
        Self.all.withLock { $0[host] = self }
    }

    /// A client of this server.
    var client: APIClient {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [MockProtocol.self]
        return APIClient(baseURL: "https://\(host)", session: URLSession(configuration: configuration))
    }

    /// All requests so far.
    var requests: [URLRequest] { state.withLock(\.requests) }
    /// What was requested so far, as path and query.
    var targets: [String] { requests.map(\.target) }

    /// The request with a number, from 0, once it has arrived.
    func request(_ number: Int) async -> Pending {
        while state.withLock({ $0.pending.count <= number }) { await Task.yield() }
        return state.withLock { $0.pending[number] }
    }

    fileprivate func receive(_ pending: Pending) {
        state.withLock { state in
            state.requests.append(pending.request)
            state.pending.append(pending)
        }
        if let responder {
            Task {
                let (status, headers, body) = await responder(pending.request)
                pending.respond(status, headers, body)
            }
        } else if let (status, body) = handler(pending.request) {
            pending.respond(status, [:], body)
        }
    }
}

/// Passes the requests of a session to their `MockServer`.
final class MockProtocol: URLProtocol {
    private let isDone = Mutex(false)

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    private var server: MockServer? { MockServer.all.withLock { $0[request.url?.host ?? ""] } }

    override func startLoading() {
        server?.receive(
            MockServer.Pending(
                request: request,
                respond: { [shared = Shared(self)] in shared.loading.respond($0, $1, $2) },
                fail: { [shared = Shared(self)] in shared.loading.fail($0) }))
    }

    /// A reference for other threads. What they call is protected by `isDone`, and the client of a protocol accepts
    /// calls from any thread.
    private struct Shared: @unchecked Sendable {
        let loading: MockProtocol

        init(_ loading: MockProtocol) {
            self.loading = loading
        }
    }

    private func respond(_ status: Int, _ headers: [String: String], _ body: String) {
        guard finish(), let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(body.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    private func fail(_ error: any Error) {
        if finish() { client?.urlProtocol(self, didFailWithError: error) }
    }

    override func stopLoading() {
        _ = finish()
    }

    /// Whether the request was in flight until now.
    private func finish() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
    }
}

extension URLRequest {
    /// The body. A protocol gets that of an upload as a stream.
    var body: Data {
        if let httpBody { return httpBody }
        guard let stream = httpBodyStream else { return Data() }
        stream.open()
        defer { stream.close() }
        var body = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 { body += buffer[..<count] }
        return body
    }

    /// The path and the query, as sent.
    var target: String {
        guard let url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return "" }
        return parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}

/// Bodies of responses.
enum Sample {
    static func business(_ id: Int, _ name: String, category: String = "bars") -> String {
        """
        {"id":\(id),"name":"\(name)","slug":"b\(id)","description":null,"category_name":"Bars",
        "category_slug":"\(category)","address":"1 A","latitude":48,"longitude":-123.5,"phone":null,"email":"",
        "website":null,"today_hours":null,"hours":[],"menus":[]}
        """
    }

    static func event(_ id: Int, _ name: String) -> String {
        """
        {"id":\(id),"name":"\(name)","slug":"e\(id)","description":null,"event_type_name":"Sports",
        "event_type_slug":"sports","latitude":null,"longitude":null,"starts_at":"2035-05-01T16:00:00Z","ends_at":null,
        "start_time":"2035-05-01T16:00:00Z","end_time":"2035-05-01T16:00:00Z","status":"approved",
        "business_name":null,"business_slug":null}
        """
    }

    static func page(_ items: [String], _ page: Int = 1, of pages: Int = 1) -> String {
        """
        {"items":[\(items.joined(separator: ","))],
        "pagination":{"page":\(page),"per_page":20,"total_items":\(items.count),"total_pages":\(pages)}}
        """
    }

    static let terms = #"{"items":[{"id":1,"name":"Bars","slug":"bars"},{"id":2,"name":"Shops","slug":"shops"}]}"#
    static let notFound = #"{"error":{"code":"not_found","message":"there is no such business"}}"#
}
