import Platform
import Service
import Store

/// The sender of a request that follows the changes of the town, whose rights may change meanwhile.
struct Follower: Sendable {
    let town: Town
    let caller: Caller
    let network: ClientNetwork

    /// The client in a version; nil when its session or token is no longer valid.
    func viewer(in version: Version) -> Viewer? {
        if let validity = town.validity(of: caller, in: version), validity <= 0 { return nil }
        return Viewer(caller, in: version.community)
    }

    /// Whether the client has the same rights in a version as before.
    func hasRights(of viewer: Viewer, in version: Version) -> Bool {
        caller.personID == nil || self.viewer(in: version)?.hasSameRights(as: viewer) == true
    }

    /// When the client's session or token expires, in monotonic nanoseconds; nil when it does not.
    func expiry(in version: Version) -> Int? {
        town.validity(of: caller, in: version).map { validity in
            let (nanoseconds, overflow) = validity.multipliedReportingOverflow(by: 1_000)
            return overflow ? .max : town.feed.now() + min(nanoseconds, Int.max / 2)
        }
    }
}
