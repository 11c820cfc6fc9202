import CSystem
import Glibc

package struct UnixSocket: ~Copyable {
    private let owned: OwnedDescriptor

    package var descriptor: FileDescriptor { owned.descriptor }

    package var listeningUser: UInt32 { Socket.credentials(of: descriptor.number).uid }

    /// The path may be of any length.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` when no process listens there.
    package init(folder: String, name: String) throws(SystemError) {
        let path = "\(folder)/\(name)"
        if path.utf8.count < Self.pathLimit {
            owned = try Self.connect(to: path)
            return
        }
        // A socket address has room for 107 bytes only; a longer path is shortened with the descriptor of its folder.
        let directory = try OwnedDescriptor.open(folder, [.read, .folder])
        owned = try Self.connect(to: "/proc/self/fd/\(directory.descriptor.number)/\(name)")
    }

    /// False when not all were sent, because the other side has sent something.
    package func send(_ bytes: [UInt8]) throws(SystemError) -> Bool {
        var done = 0
        while done < bytes.count {
            let ready = try descriptor.wait(for: [.readable, .writable])
            if ready.contains(.readable) { return false }
            do throws(SystemError) {
                done += try SystemError.retryingInterrupts {
                    bytes.withUnsafeBytes {
                        Self.send(descriptor.number, $0.baseAddress.map { $0 + done }, $0.count - done)
                    }
                }
            } catch {
                // The other side may have responded before it closed.
                if error.isBrokenPipe { return false }
                if !error.wouldBlock { throw error }
            }
        }
        return true
    }

    /// With the final zero.
    private static var pathLimit: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

    private static func connect(to path: String) throws(SystemError) -> OwnedDescriptor {
        let kind = Socket.stream | CInt(SOCK_CLOEXEC.rawValue)
        let owned = OwnedDescriptor(try SystemError.retryingInterrupts { socket(AF_UNIX, kind, 0) })
        guard let address = SocketAddress(path: path) else { throw SystemError(code: ENAMETOOLONG) }
        let number = owned.descriptor.number
        try SystemError.retryingInterrupts { address.withPointer { libcConnect(number, $0, $1) } }
        return owned
    }

    /// A closed connection is an error here, not a signal.
    private static func send(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        libcSend(number, bytes, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
}

// The methods above have the names of the C functions that they call.
private func libcConnect(_ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(number, address, size)
}
private func libcSend(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(number, bytes, count, flags)
}
