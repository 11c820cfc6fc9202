import Foundation
import Glibc
import Platform
import Testing

@Suite struct ServiceManagerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-notify-\(UUID().uuidString)")
        .path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// A datagram socket in the file system, and one with an abstract name.
    private var names: [String] { ["\(folder)/notify", "@\(folder)"] }

    @Test func receivesOneDatagramAMessage() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in names {
            let socket = try DatagramSocket(at: name)
            let manager = try #require(ServiceManager(Environment(["NOTIFY_SOCKET": name])))
            try manager.notify(.ready)
            try manager.notify(.stopping)
            #expect(
                [socket.receive(), socket.receive(), socket.receive()] == ["READY=1", "STOPPING=1", nil], "\(name)")
        }
    }

    @Test func isAbsentWithoutTheVariable() {
        #expect(ServiceManager(Environment([:])) == nil)
        #expect(ServiceManager(Environment(["NOTIFY_SOCKET": ""])) == nil)
    }

    @Test(arguments: [
        ("/nowhere/notify", ENOENT), ("@", ENAMETOOLONG), ("@no-such-socket-of-sooke", ECONNREFUSED),
        ("/" + String(repeating: "n", count: 107), ENAMETOOLONG), ("/\0", ENAMETOOLONG),
    ])
    func fails(name: String, code: Int32) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let manager = try #require(ServiceManager(Environment(["NOTIFY_SOCKET": name])))
        #expect(throws: SystemError(code: code)) { try manager.notify(.ready) }
    }

    @Test func doesNotWaitForAManagerThatReadsNothing() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let socket = try DatagramSocket(at: names[0])
        let manager = try #require(ServiceManager(Environment(["NOTIFY_SOCKET": names[0]])))
        #expect(throws: SystemError(code: EAGAIN)) {
            for _ in 0..<100_000 { try manager.notify(.ready) }
        }
        #expect(socket.receive() == "READY=1")
    }
}

/// The socket of a service manager.
private struct DatagramSocket: ~Copyable {
    private let number: Int32

    init(at name: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8).map { $0 == UInt8(ascii: "@") ? 0 : $0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(2 + bytes.count))
            }
        }
        guard result == 0 else { throw SystemError.last }
    }

    /// The next message; nil when there is none.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    deinit { close(number) }
}
