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
        owned = try SocketAddress.withUnix(path: "\(folder)/\(name)") { address throws(SystemError) in
            let kind = Socket.stream | CInt(SOCK_CLOEXEC.rawValue)
            let owned = OwnedDescriptor(try SystemError.retryingInterrupts { socket(AF_UNIX, kind, 0) })
            let number = owned.descriptor.number
            try SystemError.retryingInterrupts { address.withPointer { connect(number, $0, $1) } }
            return owned
        }
    }

    /// False when not all were sent, because the other side has sent something.
    package func send(_ bytes: [UInt8]) throws(SystemError) -> Bool {
        var done = 0
        while done < bytes.count {
            let ready = try descriptor.wait(for: [.readable, .writable])
            if ready.contains(.readable) { return false }
            do throws(SystemError) {
                done += try SystemError.retryingInterrupts {
                    // A closed connection is an error here, not a signal.
                    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
                    return bytes.withUnsafeBytes {
                        Glibc.send(descriptor.number, $0.baseAddress.map { $0 + done }, $0.count - done, flags)
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
}
