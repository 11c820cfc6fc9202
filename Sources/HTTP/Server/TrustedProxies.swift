import Bytes
import Platform

/// The proxies that many clients come through, and whose word on who these are is taken.
struct TrustedProxies: Sendable {
    /// Their addresses, 4 or 16 bytes each.
    private let addresses: Set<[UInt8]>

    /// The proxies at some numeric addresses; what is none is passed over.
    init(_ hosts: [String] = []) {
        addresses = Set(hosts.compactMap { SocketAddress(host: $0, port: 0)?.addressBytes })
    }

    func contains(_ address: [UInt8]) -> Bool { addresses.contains(address) }

    /// Whether the other end of a connection is one of them.
    func contains(_ peer: Peer) -> Bool {
        guard !addresses.isEmpty, case .inet(let host, _, _) = peer else { return false }
        return SocketAddress(host: host, port: 0).map { addresses.contains($0.addressBytes) } ?? false
    }

    /// Who sent a request through one of them: each proxy adds the address that it sees at the end of
    /// `X-Forwarded-For`, so it is the last one there that is no proxy of ours. What stands before it anybody may have
    /// written.
    ///
    /// - Parameter proxy: who sent it on; the answer when the field is not there or not to be understood.
    func client(of headers: Headers, behind proxy: Peer) -> Peer {
        var client = proxy
        for field in headers.all("x-forwarded-for").reversed() {
            for item in field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed() {
                let bytes = item.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                let text = String(decoding: bytes.prefix(64), as: UTF8.self)
                guard text != "localhost", let address = SocketAddress(host: text, port: 0) else { return client }
                client = .inet(address: address.host, port: 0, isLoopback: address.isLoopback)
                if !addresses.contains(address.addressBytes) { return client }
            }
        }
        return client
    }
}
