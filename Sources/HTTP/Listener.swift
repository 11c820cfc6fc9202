#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket that clients connect to.
struct Listener: Sendable {
    let descriptor: CInt
    let address: BoundAddress
    /// The file of a unix socket, under whatever name.
    private var file: ino_t?

    /// Whether it is a unix socket.
    var isLocal: Bool {
        if case .unix = address { true } else { false }
    }

    /// Connections the kernel keeps for us while we are busy.
    private static let backlog: CInt = 1024

    /// Opens a socket and listens.
    init(_ address: ListenAddress) throws(ServerError) {
        do throws(SystemError) {
            switch address {
            case .tcp(let host, let port): self = try Self.tcp(host, port)
            case .unix(let path, let replacingStale): self = try Self.unix(path, replacingStale)
            }
        } catch {
            throw Self.explain(error, address)
        }
    }

    private init(_ descriptor: CInt, _ address: BoundAddress) {
        (self.descriptor, self.address) = (descriptor, address)
    }

    /// Stops listening; a unix socket's file goes too, unless another has taken its path.
    func close() {
        Socket.close(descriptor)
        if case .unix(let path) = address, file == Self.file(at: path) { unlink(path) }
    }

    private static func file(at path: String) -> ino_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_ino : nil
    }

    /// Bytes of one connection that the system takes over although they cannot leave yet; further ones wait with us.
    private static let unsentLimit: CInt = 64 * 1024

    private static func tcp(_ host: String, _ port: UInt16) throws(SystemError) -> Listener {
        guard let address = SocketAddress(host: host, port: port) else {
            throw SystemError(call: "inet_pton", code: EAFNOSUPPORT)
        }
        let descriptor = try Socket.make(address.family)
        Socket.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // Accepted sockets inherit it; answers leave in one write, so there is nothing to wait for.
        Socket.setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY)
        // So is this: what the system keeps for a client that does not read is out of sight of our limits, and it would
        // keep megabytes.
        Socket.setOption(descriptor, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
        if address.family == AF_INET6 { Socket.setOption(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        try bindAndListen(descriptor, address)
        let bound = SocketAddress.bound(to: descriptor)
        return Listener(descriptor, .tcp(host: bound.host, port: bound.port))
    }

    private static func unix(_ path: String, _ replacingStale: Bool) throws(SystemError) -> Listener {
        let (address, folder) = try shortAddress(path)
        defer { if let folder { Socket.close(folder) } }
        let descriptor = try Socket.make(AF_UNIX)
        // On Linux the file takes the mode of the socket, so nobody else can connect for even a moment.
        fchmod(descriptor, 0o600)
        if replacingStale, isStale(path, address) { unlink(path) }
        try bindAndListen(descriptor, address)
        chmod(path, 0o600)
        var listener = Listener(descriptor, .unix(path: path))
        listener.file = file(at: path)
        return listener
    }

    /// An address for a path of any length, and a descriptor that is to be closed after its use.
    ///
    /// An address has room for 107 bytes only; the descriptor of the folder makes a short name for a longer path.
    private static func shortAddress(_ path: String) throws(SystemError) -> (SocketAddress, folder: CInt?) {
        if let address = SocketAddress(path: path) { return (address, nil) }
        #if os(Linux)
            let slash = path.lastIndex(of: "/")
            let folder = open(slash.map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { throw SystemError(call: "open", code: errno) }
            let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
            if let address = SocketAddress(path: "/proc/self/fd/\(folder)/\(name)") { return (address, folder) }
            Socket.close(folder)
        #endif
        throw SystemError(call: "path", code: ENAMETOOLONG)
    }

    private static func bindAndListen(_ descriptor: CInt, _ address: SocketAddress) throws(SystemError) {
        let isBound = address.withPointer { bind(descriptor, $0, $1) } == 0
        if isBound, listen(descriptor, backlog) == 0 { return }
        let code = errno
        Socket.close(descriptor)
        throw SystemError(call: isBound ? "listen" : "bind", code: code)
    }

    /// Whether there is a socket that nobody answers.
    private static func isStale(_ path: String, _ address: SocketAddress) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, let probe = try? Socket.make(AF_UNIX)
        else { return false }
        let isRefused = address.withPointer { connect(probe, $0, $1) } < 0 && errno == ECONNREFUSED
        Socket.close(probe)
        return isRefused
    }

    private static func explain(_ error: SystemError, _ address: ListenAddress) -> ServerError {
        let place: String
        let isTCP: Bool
        switch address {
        case .tcp(let host, let port): (place, isTCP) = ("\(host) port \(port)", true)
        case .unix(let path, _): (place, isTCP) = (path, false)
        }
        switch error.code {
        case EADDRINUSE where isTCP:
            return ServerError(
                .addressInUse,
                "\(place) is in use by another program: stop it, or choose another port (0 takes a free one)")
        case EADDRINUSE:
            return ServerError(
                .addressInUse, "\(place) exists already: is another server running? If not, remove the file")
        case EADDRNOTAVAIL:
            return ServerError(
                .addressNotAvailable,
                "this machine has no address \(place): use 127.0.0.1, or 0.0.0.0 for all of its own")
        case EACCES, EPERM:
            return ServerError(
                .permissionDenied,
                "listening on \(place) is not permitted: "
                    + (isTCP ? "choose a port from 1024 on" : "check the folder's owner and mode"))
        case EAFNOSUPPORT:
            return ServerError(
                .invalidAddress, "\(place): the host must be localhost or a numeric IPv4 or IPv6 address")
        case ENAMETOOLONG:
            return ServerError(.invalidAddress, "\(place): the path of a socket must be shorter than 108 bytes")
        case ENOENT:
            return ServerError(.invalidAddress, "\(place): the folder does not exist, make it first")
        default:
            return ServerError(.system, "cannot listen on \(place): \(String(cString: strerror(error.code)))")
        }
    }
}
