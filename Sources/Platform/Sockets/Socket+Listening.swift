import CSystem
import Glibc

/// Making sockets that clients connect to.
extension Socket {
    /// Connections the kernel keeps for us while we are busy.
    private static let backlog: CInt = 1024

    /// Bytes of one connection that the system takes over although they cannot leave yet; further ones wait with us.
    private static let unsentLimit: CInt = 64 * 1024

    /// Listens at a numeric address.
    package static func listen(host: String, port: UInt16) throws(SystemError) -> CInt {
        guard let address = SocketAddress(host: host, port: port) else { throw SystemError(code: EAFNOSUPPORT) }
        let descriptor = try make(address.family)
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // Accepted sockets inherit it; answers leave in one write, so there is nothing to wait for.
        setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY)
        // So is this: what the system keeps for a client that does not read is out of sight of our limits, and it would
        // keep megabytes.
        setOption(descriptor, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
        if address.family == AF_INET6 { setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        try bindAndListen(descriptor, address)
        return descriptor
    }

    /// Listens at a path of any length, for this user alone.
    ///
    /// - Parameter replacingStale: whether a socket that nobody answers is removed from there.
    package static func listen(path: String, replacingStale: Bool) throws(SystemError) -> CInt {
        if let address = SocketAddress(path: path) { return try listen(address, path, replacingStale) }
        // An address has room for 107 bytes only; the descriptor of the folder makes a short name for a longer path.
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
        // The file takes the mode of the socket, so nobody else can connect for even a moment.
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

    /// Whether there is a socket that nobody answers.
    private static func isStale(_ path: String, _ address: SocketAddress) -> Bool {
        guard let status = try? FileDescriptor.workingFolder.status(of: path, followingLinks: false), status.isSocket,
            let probe = try? make(AF_UNIX)
        else { return false }
        defer { close(probe) }
        return address.withPointer { connect(probe, $0, $1) } < 0 && errno == ECONNREFUSED
    }
}
