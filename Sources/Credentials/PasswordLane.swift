/// Where a password waits to be hashed: who is known goes first, and everybody shares a lane by networks in turn.
public struct PasswordLane: Sendable, Hashable {
    let isKnown: Bool
    let network: [UInt8]

    /// The lane of somebody who has proved who they are, or who logs in from where they have logged in before.
    ///
    /// - Parameter network: what stands for the client's address.
    public static func known(_ network: [UInt8]) -> PasswordLane { PasswordLane(isKnown: true, network: network) }

    /// The lane of everybody else.
    ///
    /// - Parameter site: what stands for the larger network that the client's address is in.
    public static func stranger(_ site: [UInt8]) -> PasswordLane { PasswordLane(isKnown: false, network: site) }
}
