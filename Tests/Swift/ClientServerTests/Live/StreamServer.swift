import Foundation
import Glibc
import Platform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import SookeClient

/// A server of streams on a free port. The test decides what arrives, and when.
final class StreamServer: Sendable {
    /// A request of the client, on a connection of its own.
    final class Exchange: Sendable {
        let head: String
        private let descriptor: Int32
        private let stopped = AsyncStream<Void>.makeStream()

        fileprivate init(_ descriptor: Int32, head: String) { (self.descriptor, self.head) = (descriptor, head) }

        /// The position from which the client continues.
        var position: String? { head.firstMatch(of: /since=([^ &]*)/).map { String($0.1) } }

        func open(_ status: Int = 200, _ headers: [String: String] = ["Content-Type": "text/event-stream"]) {
            let fields = headers.map { "\($0): \($1)\r\n" }.joined()
            write("HTTP/1.1 \(status) X\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\(fields)\r\n")
        }

        func send(_ text: String) {
            if !text.isEmpty { write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n") }
        }

        /// Ends the response.
        func end() {
            write("0\r\n\r\n")
            fail()
        }

        /// Closes the connection in the middle of the response.
        func fail() { shutdown(descriptor, Int32(SHUT_WR)) }

        /// Returns when the client has closed the connection.
        func isStopped() async { for await _ in stopped.stream {} }

        fileprivate func readToEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
            close(descriptor)
            stopped.continuation.finish()
        }

        private func write(_ text: String) {
            let bytes = Array(text.utf8)
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private let listener: Int32
    private let port: UInt16
    private let exchanges = AsyncStream<Exchange>.makeStream()

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 16) | getsockname(listener, $0, &length)
            }
        }
        guard result == 0 else { throw SystemError.last }
        (self.listener, port) = (listener, UInt16(bigEndian: address.sin_port))
        let continuation = exchanges.continuation
        try Platform.Thread.start {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                guard let head = Self.readHead(of: descriptor) else { continue }
                let exchange = Exchange(descriptor, head: head)
                continuation.yield(exchange)
                try? Platform.Thread.start { exchange.readToEnd() }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var client: APIClient { APIClient(baseURL: "http://127.0.0.1:\(port)", token: "secret") }

    /// The next request of the client.
    func next() async -> Exchange {
        for await exchange in exchanges.stream { return exchange }
        preconditionFailure("the test was cancelled")
    }

    private static func readHead(of descriptor: Int32) -> String? {
        var head = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.hasSuffix("\r\n\r\n") {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                close(descriptor)
                return nil
            }
            head += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return head
    }
}

/// Events of the feed.
enum FeedText {
    static let reset = "event: reset\nid: 0\ndata: {}\n\n"
    static let revoked = "event: revoked\ndata: {}\n\n"

    static func bookmark(_ position: String) -> String { "id: \(position)\n\n" }

    /// A change of a category; the last of its commit if it has a position.
    static func category(
        _ id: Int, _ name: String?, _ action: String = "created", slug: String? = nil, at position: String? = nil
    ) -> String {
        let slug = slug ?? "c\(id)"
        let record = name.map { #","record":{"id":\#(id),"name":"\#($0)","slug":"\#(slug)"}"# } ?? ""
        return event(
            "category", #"{"kind":"category","action":"\#(action)","id":\#(id),"slug":"\#(slug)"\#(record)}"#, position)
    }

    static func event(_ type: String, _ data: String, _ position: String? = nil) -> String {
        "event: \(type)\n" + (position.map { "id: \($0)\n" } ?? "") + "data: \(data)\n\n"
    }
}

extension LiveChanges.Element: CustomStringConvertible {
    /// The element in a short form, for comparisons.
    public var description: String {
        switch self {
        case .connected: "connected"
        case .whole(let changes, let position): "whole \(changes.map(\.text)) at \(position)"
        case .changes(let changes, let position): "changes \(changes.map(\.text)) at \(position)"
        case .bookmark(let position): "bookmark \(position)"
        case .disconnected(let error, let delay): "disconnected by \(error.text), retry in \(delay)"
        case .revoked: "revoked"
        }
    }
}

extension Change {
    fileprivate var text: String { "\(action) \(slug)" }
}

extension Error {
    fileprivate var text: String {
        switch self {
        case let error as URLError: error.code == .timedOut ? "silence" : "the network"
        case let error as APIError: "\(error.statusCode ?? 0) \(error.detail?.code ?? "-")"
        case is DecodingError: "DecodingError"
        default: "\(self)"
        }
    }
}
