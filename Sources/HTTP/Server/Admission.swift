import Bytes
import Platform
import Synchronization

struct AcceptedConnection: Sendable {
    let descriptor: CInt
    let peer: Peer
    let ticket: Admission.Ticket
}

/// Counts connections over all loops. Locked once when one opens and once when it closes.
final class Admission: Sendable {
    struct Ticket: Sendable {
        let network: ClientNetwork?
        let refusal: HTTPError?
        let isLocal: Bool
    }

    private struct Counts {
        var regular = 0
        var overflow = 0
        var local = 0
        var byNetwork: [ClientNetwork: Int] = [:]
    }

    static func descriptors(for limits: HTTPLimits) -> Int {
        limits.connections + limits.overflowConnections + localLimit + limits.reservedDescriptors
    }

    /// Connections of unix sockets; fewer if descriptors are scarce.
    static let localLimit = 32

    /// Others wait until one of them closes.
    let localLimit: Int
    private let limit: Int
    private let limitPerAddress: Int
    private let limitPerSite: Int
    private let overflowLimit: Int
    private let crowdedFrom: Int
    private let counts = Mutex(Counts())
    private let total = Atomic<Int>(0)

    init(_ limits: HTTPLimits, descriptorLimit: Int) {
        localLimit = min(Self.localLimit, max(1, descriptorLimit / 8))
        let available = max(2, descriptorLimit - limits.reservedDescriptors - localLimit)
        overflowLimit = max(1, min(limits.overflowConnections, available / 8))
        limit = max(1, min(limits.connections, available - overflowLimit))
        limitPerAddress = limits.connectionsPerAddress
        limitPerSite = limits.connectionsPerSite
        crowdedFrom = limit * limits.crowdedPercent / 100
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// Idle connections should be closed earlier.
    var isCrowded: Bool { count > crowdedFrom }

    /// For one more connection, even if only to refuse it. Those of unix sockets are counted separately: administration
    /// must work when the town's requests do not.
    func hasRoom(isLocal: Bool) -> Bool {
        counts.withLock { counts in
            isLocal ? counts.local < localLimit : counts.regular < limit || counts.overflow < overflowLimit
        }
    }

    /// nil when the connection must be closed at once. Without a network it is exempt from limits per network and site.
    func admit(_ network: ClientNetwork?) -> Ticket? {
        counts.withLock { counts in
            var refusal: HTTPError?
            if let network,
                counts.byNetwork[network, default: 0] >= limitPerAddress
                    || counts.byNetwork[network.site, default: 0] >= limitPerSite
            {
                refusal = .tooManyConnections
            } else if counts.regular >= limit {
                refusal = .overloaded
            }
            if refusal != nil {
                guard counts.overflow < overflowLimit else { return nil }
                counts.overflow += 1
            } else {
                counts.regular += 1
                for key in network.map({ [$0, $0.site] }) ?? [] { counts.byNetwork[key, default: 0] += 1 }
            }
            total.add(1, ordering: .relaxed)
            return Ticket(network: network, refusal: refusal, isLocal: false)
        }
    }

    /// A unix socket; nil at their limit.
    func admitLocal() -> Ticket? {
        counts.withLock { counts in
            guard counts.local < localLimit else { return nil }
            counts.local += 1
            total.add(1, ordering: .relaxed)
            return Ticket(network: nil, refusal: nil, isLocal: true)
        }
    }

    func release(_ ticket: Ticket) {
        counts.withLock { counts in
            total.subtract(1, ordering: .relaxed)
            if ticket.isLocal {
                counts.local -= 1
                return
            }
            guard ticket.refusal == nil else {
                counts.overflow -= 1
                return
            }
            counts.regular -= 1
            for key in ticket.network.map({ [$0, $0.site] }) ?? [] {
                let count = counts.byNetwork[key] ?? 0
                counts.byNetwork[key] = count > 1 ? count - 1 : nil
            }
        }
    }
}

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
