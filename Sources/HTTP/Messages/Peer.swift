/// Who is at the other end of a connection.
public enum Peer: Sendable, Hashable {
    /// A TCP client: its address as text (IPv4 in IPv6 as plain IPv4), its port, and whether it is this machine.
    case inet(address: String, port: UInt16, isLoopback: Bool)
    /// A client of a unix socket, with the user and process that the kernel vouches for; the process is 0 where the
    /// system does not tell.
    case local(uid: UInt32, pid: Int32)
}
