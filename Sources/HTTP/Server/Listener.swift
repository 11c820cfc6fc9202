import Platform

struct Listener: Sendable {
    let descriptor: CInt
    let address: BoundAddress
    private var file: FileStatus.Identity?

    var isLocal: Bool {
        if case .unix = address { true } else { false }
    }

    init(_ address: ListenAddress) throws(ServerError) {
        do throws(SystemError) {
            switch address {
            case .tcp(let host, let port):
                descriptor = try Socket.listen(host: host, port: port)
                let bound = SocketAddress.bound(to: descriptor)
                self.address = .tcp(host: bound.host, port: bound.port)
            case .unix(let path, let replacingStale, let forGroup):
                descriptor = try Socket.listen(path: path, replacingStale: replacingStale, forGroup: forGroup)
                self.address = .unix(path: path)
                file = Self.file(at: path)
            }
        } catch {
            throw Self.explain(error, address)
        }
    }

    /// Removes the file of a unix socket too, unless another has replaced it.
    func close() {
        Socket.close(descriptor)
        if case .unix(let path) = address, file == Self.file(at: path) {
            try? FileDescriptor.workingFolder.remove(path)
        }
    }

    private static func file(at path: String) -> FileStatus.Identity? {
        try? FileDescriptor.workingFolder.status(of: path, followingLinks: false).identity
    }

    private static func explain(_ error: SystemError, _ address: ListenAddress) -> ServerError {
        let place: String
        let isTCP: Bool
        switch address {
        case .tcp(let host, let port): (place, isTCP) = ("\(host) port \(port)", true)
        case .unix(let path, _, _): (place, isTCP) = (path, false)
        }
        switch error {
        case _ where error.isAddressInUse && isTCP:
            return ServerError(
                .addressInUse,
                "\(place) is in use by another program: stop it, or choose another port (0 takes a free one)")
        case _ where error.isAddressInUse:
            return ServerError(
                .addressInUse, "\(place) exists already: is another server running? If not, remove the file")
        case _ where error.isAddressUnavailable:
            return ServerError(
                .addressNotAvailable,
                "this machine has no address \(place): use 127.0.0.1, or 0.0.0.0 for all of its own")
        case _ where error.isForbidden:
            return ServerError(
                .permissionDenied,
                "listening on \(place) is not permitted: "
                    + (isTCP ? "choose a port from 1024 on" : "check the folder's owner and mode"))
        case _ where error.isUnknownAddress:
            return ServerError(
                .invalidAddress, "\(place): the host must be localhost or a numeric IPv4 or IPv6 address")
        case _ where error.isNameTooLong:
            return ServerError(.invalidAddress, "\(place): the path of a socket must be shorter than 108 bytes")
        case _ where error.isMissing:
            return ServerError(.invalidAddress, "\(place): the folder does not exist, make it first")
        case _ where error.isNoSpace:
            return ServerError(.noRoom, "cannot create \(place): \(error)")
        default:
            return ServerError(.system, "cannot listen on \(place): \(error)")
        }
    }
}
