import Platform
import Synchronization

/// A connection just accepted, on its way to its loop.
struct AcceptedConnection: Sendable {
    let descriptor: CInt
    let peer: Peer
    let ticket: Admission.Ticket
}

/// Counts connections, in all and by the client's network, over all loops. Locked once when one opens and once when it
/// closes.
final class Admission: Sendable {
    /// What a connection was counted as; given back when it closes.
    struct Ticket: Sendable {
        let network: ClientNetwork?
        /// Set when it is one too many, to be told so.
        let refusal: HTTPError?
        let isLocal: Bool
    }

    private struct Counts {
        var regular = 0
        var overflow = 0
        var local = 0
        var byNetwork: [ClientNetwork: Int] = [:]
    }

    /// The descriptors that a process needs for all that it may accept.
    static func descriptors(for limits: HTTPLimits) -> Int {
        limits.connections + limits.overflowConnections + localLimit + limits.reservedDescriptors
    }

    /// The most connections of unix sockets; fewer where descriptors are few.
    static let localLimit = 32

    /// The connections of unix sockets that are taken at once; others wait until one of them closes.
    let localLimit: Int
    private let limit: Int
    private let limitPerAddress: Int
    private let overflowLimit: Int
    private let crowdedFrom: Int
    private let counts = Mutex(Counts())
    private let total = Atomic<Int>(0)

    /// `descriptorLimit` is the number of descriptors the process may have open.
    init(_ limits: HTTPLimits, descriptorLimit: Int) {
        localLimit = min(Self.localLimit, max(1, descriptorLimit / 8))
        let available = max(2, descriptorLimit - limits.reservedDescriptors - localLimit)
        overflowLimit = max(1, min(limits.overflowConnections, available / 8))
        limit = max(1, min(limits.connections, available - overflowLimit))
        limitPerAddress = limits.connectionsPerAddress
        crowdedFrom = limit * limits.crowdedPercent / 100
    }

    /// The open connections.
    var count: Int { total.load(ordering: .relaxed) }

    /// Whether idle connections should make room.
    var isCrowded: Bool { count > crowdedFrom }

    /// Whether there is room for one more, be it only to refuse it.
    ///
    /// - Parameter isLocal: of a unix socket. These have a lane of their own: administration must get through when the
    ///   town does not.
    func hasRoom(isLocal: Bool) -> Bool {
        counts.withLock { counts in
            isLocal ? counts.local < localLimit : counts.regular < limit || counts.overflow < overflowLimit
        }
    }

    /// Counts a connection in; nil when it must be closed at once. Without a network it is exempt from the limit of
    /// one.
    func admit(_ network: ClientNetwork?) -> Ticket? {
        counts.withLock { counts in
            var refusal: HTTPError?
            if let network, counts.byNetwork[network, default: 0] >= limitPerAddress {
                refusal = .tooManyConnections
            } else if counts.regular >= limit {
                refusal = .overloaded
            }
            if refusal != nil {
                guard counts.overflow < overflowLimit else { return nil }
                counts.overflow += 1
            } else {
                counts.regular += 1
                if let network { counts.byNetwork[network, default: 0] += 1 }
            }
            total.add(1, ordering: .relaxed)
            return Ticket(network: network, refusal: refusal, isLocal: false)
        }
    }

    /// Counts in a connection of a unix socket; nil when their lane is full.
    func admitLocal() -> Ticket? {
        counts.withLock { counts in
            guard counts.local < localLimit else { return nil }
            counts.local += 1
            total.add(1, ordering: .relaxed)
            return Ticket(network: nil, refusal: nil, isLocal: true)
        }
    }

    /// Counts a connection out.
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
            guard let network = ticket.network, let count = counts.byNetwork[network] else { return }
            counts.byNetwork[network] = count > 1 ? count - 1 : nil
        }
    }
}
