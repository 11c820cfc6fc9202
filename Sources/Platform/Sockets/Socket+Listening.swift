import CSystem
import Glibc

/// Sockets that clients connect to.
extension Socket {
    /// Connections that the kernel queues while the server is busy.
    private static let backlog: CInt = 1024

    /// Unsent bytes of one connection that the system buffers; the server buffers the rest.
    private static let unsentLimit: CInt = 64 * 1024

    /// Listens at a numeric address.
    package static func listen(host: String, port: UInt16) throws(SystemError) -> CInt {
        guard let address = SocketAddress(host: host, port: port) else { throw SystemError(code: EAFNOSUPPORT) }
        let descriptor = try make(address.family)
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // Accepted sockets inherit it. Responses are sent in one write, so a delay would gain nothing.
        setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY)
        // They inherit this too. Without it the system would buffer megabytes for a client that does not read, outside
        // of the server's limits.
        setOption(descriptor, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
        if address.family == AF_INET6 { setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        try bindAndListen(descriptor, address)
        return descriptor
    }

    /// Listens at a path of any length, for this user alone.
    ///
    /// - Parameter replacingStale: whether a socket that no process listens on is removed first.
    package static func listen(path: String, replacingStale: Bool) throws(SystemError) -> CInt {
        if let address = SocketAddress(path: path) { return try listen(address, path, replacingStale) }
        // A socket address has room for 107 bytes only; a longer path is shortened with the descriptor of its folder.
        let slash = path.lastIndex(of: "/")
        let folder = try OwnedDescriptor.open(slash.map { String(path[...$0]) } ?? ".", [.read, .folder])
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        guard let address = SocketAddress(path: "/proc/self/fd/\(folder.descriptor.number)/\(name)") else {
            throw SystemError(code: ENAMETOOLONG)
        }
        return try listen(address, path, replacingStale)
    }

    private static func listen(
        _ address: SocketAddress, _ path: String, _ replacingStale: Bool
    ) throws(SystemError) -> CInt {
        let descriptor = try make(AF_UNIX)
        // The file gets the mode of the socket, so no other user can connect at any time.
        fchmod(descriptor, 0o600)
        if replacingStale, isStale(path, address) { unlink(path) }
        try bindAndListen(descriptor, address)
        chmod(path, 0o600)
        return descriptor
    }

    private static func bindAndListen(_ descriptor: CInt, _ address: SocketAddress) throws(SystemError) {
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        if isBound, Glibc.listen(descriptor, backlog) == 0 { return }
        let code = errno
        close(descriptor)
        throw SystemError(code: code)
    }

    /// Whether no process listens on a socket.
    private static func isStale(_ path: String, _ address: SocketAddress) -> Bool {
        guard let status = try? FileDescriptor.workingFolder.status(of: path, followingLinks: false), status.isSocket,
            let probe = try? make(AF_UNIX)
        else { return false }
        defer { close(probe) }
        return address.withPointer { connect(probe, $0, $1) } < 0 && errno == ECONNREFUSED
    }
}
