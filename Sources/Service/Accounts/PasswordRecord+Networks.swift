import Credentials
import Platform
import SookeModel

/// The networks from which a person has logged in: an IPv4 address, or the /64 of an IPv6 address. A larger network
/// would include other people in the same street.
extension PasswordRecord {
    /// Whether its person has logged in from a network.
    func knows(_ network: ClientNetwork) -> Bool {
        guard let networkKey, !networks.isEmpty else { return false }
        return networks.contains(NetworkDigest.digest(of: network.bytes, key: networkKey))
    }

    /// The same with a network added as the newest one. Without random bytes for a key the network is not added.
    func remembering(_ network: ClientNetwork, limit: Int = AccountLimits.standard.knownNetworks) -> PasswordRecord {
        guard let key = networkKey ?? (try? NetworkDigest.makeKey()) else { return self }
        let digest = NetworkDigest.digest(of: network.bytes, key: key)
        var record = self
        record.networkKey = key
        record.networks = [digest] + networks.filter { $0 != digest }.prefix(limit - 1)
        return record
    }
}
