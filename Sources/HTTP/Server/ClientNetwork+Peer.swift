import Platform

extension ClientNetwork {
    /// The network of a client; for a client of a unix socket, its user.
    public init(_ peer: Peer) {
        switch peer {
        case .local(let user, _): self.init(localUser: user)
        case .inet(let address, _, _):
            self.init(addressBytes: SocketAddress(host: address, port: 0)?.addressBytes ?? [])
        }
    }
}
