import Foundation
import Platform
import Synchronization

@testable import sooke

/// Listens on a unix socket, accepts one connection, and responds with prepared bytes.
final class TinyServer: Sendable {
    private let request = Mutex<[UInt8]>([])
    private let done = DispatchSemaphore(value: 0)

    /// - Parameter readsRequest: whether it waits for the whole request before it responds.
    init(at path: String, response: String, readsRequest: Bool = true) throws {
        let listener = try Self.listen(at: path)
        try Platform.Thread.start { [self] in
            let connection = FileDescriptor(number: accept(listener, nil, nil))
            if readsRequest { readRequest(from: connection) }
            try? connection.write(Array(response.utf8))
            close(connection.number)
            close(listener)
            done.signal()
        }
    }

    /// What the client sent, once the connection is closed.
    func receivedRequest() -> String {
        done.wait()
        return request.withLock { String(decoding: $0, as: UTF8.self) }
    }

    /// A socket that listens at a path. The path is short.
    static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, Glibc.listen(listener, 1) == 0 else { throw SystemError.last }
        return listener
    }

    private func readRequest(from connection: FileDescriptor) {
        while let bytes = try? connection.read(upTo: 1 << 16), !bytes.isEmpty {
            let received = request.withLock { request in
                request += bytes
                return String(decoding: request, as: UTF8.self)
            }
            guard let end = received.range(of: "\r\n\r\n") else { continue }
            let length = received.range(of: "Content-Length: ").flatMap { field in
                Int(received[field.upperBound...].prefix { $0.isNumber })
            }
            if received[end.upperBound...].utf8.count >= length ?? 0 { return }
        }
    }
}
