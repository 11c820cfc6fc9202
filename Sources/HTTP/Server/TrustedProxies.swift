import Bytes
import Platform
import Synchronization

struct TrustedProxies: Sendable {
    /// 4 or 16 bytes each.
    private let addresses: Set<[UInt8]>

    /// Texts that are no numeric address are ignored.
    init(_ hosts: [String] = []) {
        addresses = Set(hosts.compactMap { SocketAddress(host: $0, port: 0)?.addressBytes })
    }

    func contains(_ address: [UInt8]) -> Bool { addresses.contains(address) }

    func contains(_ peer: Peer) -> Bool {
        guard !addresses.isEmpty, case .inet(let host, _, _) = peer else { return false }
        return SocketAddress(host: host, port: 0).map { addresses.contains($0.addressBytes) } ?? false
    }

    /// Each proxy appends the address of its client to `X-Forwarded-For`, so the sender is the last one that is not a
    /// trusted proxy; anything before it may be forged. The proxy itself when the field is absent or malformed.
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

/// Reports the first client on this machine that acts as a proxy and is no trusted one.
final class UnknownProxy: Sendable {
    private let isReported = Atomic(false)
    private let report: @Sendable (_ address: String) -> Void

    init(_ report: @escaping @Sendable (_ address: String) -> Void) {
        self.report = report
    }

    func check(_ headers: Headers, of peer: Peer) {
        guard case .inet(let address, _, isLoopback: true) = peer, headers.first("x-forwarded-for") != nil,
            !isReported.exchange(true, ordering: .relaxed)
        else { return }
        report(address)
    }
}
