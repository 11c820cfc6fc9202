#if canImport(FoundationNetworking)
    import Bytes
    import Foundation
    import FoundationNetworking

    /// A request without TLS over a socket, with its response.
    enum SocketExchange {
        /// The seconds until a server must have accepted a connection, or bytes of a request.
        private static let patience = 30

        /// Whether a socket is enough: neither a proxy of the environment nor a name and a password are to be respected.
        static func canSend(_ url: URL) -> Bool {
            guard url.scheme == "http", url.user == nil, url.host?.isEmpty == false else { return false }
            let environment = ProcessInfo.processInfo.environment
            return ["http_proxy", "all_proxy", "ALL_PROXY"].allSatisfy { environment[$0]?.isEmpty ?? true }
        }

        /// Sends a request, and receives its response until its end, or until the receiver wants no more.
        static func run(_ request: URLRequest, _ sockets: SharedSockets, _ receiver: StreamReceiver) throws {
            guard let url = request.url, let host = url.host else { throw URLError(.badURL) }
            let name = host.filter { $0 != "[" && $0 != "]" }
            let descriptor = try connect(to: name, url.port ?? 80, sockets)
            defer { sockets.close(descriptor) }
            try send(head(of: request, url, name), to: descriptor)
            try receive(from: descriptor, receiver)
        }

        private static func head(of request: URLRequest, _ url: URL, _ name: String) -> [UInt8] {
            let target =
                (url.path(percentEncoded: true).isEmpty ? "/" : url.path(percentEncoded: true))
                + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
            let host = (name.contains(":") ? "[\(name)]" : name) + (url.port.map { ":\($0)" } ?? "")
            var fields = [("Host", host), ("Connection", "close"), ("User-Agent", "SookeClient")]
            fields += (request.allHTTPHeaderFields ?? [:]).map { ($0, $1) }
            let lines = fields.map { "\($0): \($1)".filter { !$0.isNewline } + "\r\n" }
            return Array("\(request.httpMethod ?? "GET") \(target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8)
        }

        private static func connect(to name: String, _ port: Int, _ sockets: SharedSockets) throws -> Int32 {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(name, "\(port)", &hints, &found)
            guard code == 0 else {
                throw URLError(.cannotFindHost, saying: "\(name): \(String(cString: gai_strerror(code)))")
            }
            defer { freeaddrinfo(found) }
            var (next, problem) = (found, Int32(0))
            while let address = next?.pointee {
                next = address.ai_next
                let descriptor = sockets.open(address.ai_family, address.ai_socktype, address.ai_protocol)
                guard descriptor >= 0 else {
                    problem = errno
                    continue
                }
                var limit = timeval(tv_sec: patience, tv_usec: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                if Foundation.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
                problem = errno == EINPROGRESS ? ETIMEDOUT : errno
                sockets.close(descriptor)
            }
            if sockets.isCancelled { throw CancellationError() }
            throw URLError(
                .cannotConnectToHost,
                saying: "cannot connect to \(name), port \(port): \(String(cString: strerror(problem)))")
        }

        private static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw broken() }
            }
        }

        private static func receive(from descriptor: Int32, _ receiver: StreamReceiver) throws {
            var reader = ResponseReader()
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while true {
                let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
                if count < 0, errno == EINTR { continue }
                if count < 0 { throw broken() }
                if count == 0 { reader.close() }
                do throws(ResponseReader.Malformed) {
                    if try take(buffer, count, &reader, receiver) { return }
                } catch {
                    throw URLError(
                        count == 0 ? .networkConnectionLost : .badServerResponse,
                        saying: "the response of the server cannot be read: \(error)")
                }
            }
        }

        /// Reads what has arrived; true at the end.
        private static func take(
            _ buffer: [UInt8], _ count: Int, _ reader: inout ResponseReader, _ receiver: StreamReceiver
        ) throws(ResponseReader.Malformed) -> Bool {
            var offset = 0
            while true {
                switch try reader.next(buffer.span.extracting(first: count), &offset) {
                case .head: if !receiver.takeHead(reader.status, reader.fields) { return true }
                case .body(let part):
                    let isWanted = buffer.withUnsafeBytes {
                        receiver.takeBody(UnsafeRawBufferPointer(rebasing: $0[part]))
                    }
                    if !isWanted { return true }
                case .end: return true
                case .needsMore: return false
                }
            }
        }

        private static func broken() -> URLError {
            URLError(.networkConnectionLost, saying: "the connection is broken: \(String(cString: strerror(errno)))")
        }
    }
#endif
