/// Limits on what people may send in for a decision, so that those who decide can read all of it, and nobody can keep
/// others from sending something.
public struct ProposalLimits: Sendable {
    /// The most bytes of the proposed changes as they are stored: the longest name and description, of any characters.
    public static let changesBytes = 64_000
    /// The most bytes of the changes and the words of a sender without an account together.
    public static let strangerBytes = 12_000
    /// The most characters of the name, the description and the words of a sender without an account together.
    public static let strangerText = 2_000
    /// The length of the words to those who decide, and of the reason of a rejection.
    public static let text = 0...2_000

    /// The number of open proposals of one network without an account.
    public var openOfNetwork = 20
    /// The same for the larger network around it, as a provider or a company has one: one customer may have thousands
    /// of networks.
    public var openOfSite = 40
    /// The number of open proposals of all senders without an account; beyond it the newest one of those yields who
    /// have the most.
    public var openOfStrangers = 400
    /// How many of them never yield: those that wait longest.
    public var longestWaiting = 40
    /// When no site has more than the others, the first of so many of the newest yields.
    public var newest = 10
    /// The number of open proposals of one account. They never yield.
    public var openOfAccount = 5
    /// The number of decided proposals of one account; the oldest one is deleted first.
    public var decidedOfAccount = 20
    /// How long a brief proposal (`Proposal.isBrief`) is stored, in seconds. It counts for its site for a day, so it
    /// must not be shorter.
    public var briefSeconds = 86_400
    /// How long a decided proposal is stored, and how long a reference is valid, in seconds.
    public var decidedSeconds = 30 * 86_400
    /// How many of those that are older are deleted at a time, with a new proposal.
    public var deletedAtATime = 100
    /// How long only the owner of a business decides what concerns it, and super admins, in seconds.
    public var ownersSeconds = 3 * 86_400

    public init() {}

    public static let standard = ProposalLimits()
}
