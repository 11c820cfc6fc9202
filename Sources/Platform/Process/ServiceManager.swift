import Glibc

/// The service manager that started this process, such as systemd (sd_notify(3)).
package struct ServiceManager: Sendable {
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// The path of the socket; an abstract one begins with `@`.
    private static let variable = "NOTIFY_SOCKET"

    private let path: String

    package init?(_ environment: Environment) {
        guard let path = environment[Self.variable], !path.isEmpty else { return nil }
        self.path = path
    }

    /// Never waits: a manager that does not read its socket must not stop the server.
    package func notify(_ state: State) throws(SystemError) {
        guard
            let address = path.hasPrefix("@")
                ? SocketAddress(abstractName: path.dropFirst()) : SocketAddress(path: path)
        else { throw SystemError(code: ENAMETOOLONG) }
        let kind = Socket.datagram | CInt(SOCK_CLOEXEC.rawValue)
        let owned = OwnedDescriptor(try SystemError.retryingInterrupts { socket(AF_UNIX, kind, 0) })
        let message = Array(state.rawValue.utf8)
        try SystemError.retryingInterrupts {
            address.withPointer {
                sendto(owned.descriptor.number, message, message.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT), $0, $1)
            }
        }
    }
}
