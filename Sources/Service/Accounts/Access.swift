import SookeModel
import Store

/// The permission that a use case requires.
///
/// It is checked twice: when a request arrives, before its body is read, and once more in the transaction, on the
/// version that is changed. So the loss of a role takes effect with its commit.
public enum Access: Sendable, Hashable, CaseIterable {
    /// All clients, with or without an account.
    case anyone
    /// All people with an account.
    case member
    /// The owner of a business.
    case businessOwner
    /// The person who submitted an event that is not public, and the owner of its business.
    case eventEditor
    /// The owner of the business of an event.
    case eventReviewer
    /// A super admin, who also has all permissions above.
    case superAdmin
    /// A super admin, also with a token for metrics.
    case metricsReader
    /// The user that runs the server, over the local socket.
    case folderOwner

    /// Checks the permission of a caller.
    ///
    /// - Parameter slug: the slug of the requested record.
    /// - Throws: `loginRequired`, `invalidToken`; `forbidden` and `insufficientScope` for a record that the caller may
    ///   read but not change; `notFound` for one that is not visible to them.
    public func check(_ caller: Caller, slug: Slug?, in community: Community) throws(ServiceError) {
        if self == .anyone { return }
        guard caller.isKnown else { throw .loginRequired }
        if self == .folderOwner {
            guard caller == .owner else { throw .forbidden }
            return
        }
        if caller.isSuperAdmin(in: community) { return }
        guard let person = caller.person(in: community) else { throw .invalidToken }
        let refusal = person.role == .superAdmin ? ServiceError.insufficientScope : .forbidden
        switch self {
        case .anyone, .member: return
        case .superAdmin, .folderOwner: throw refusal
        case .metricsReader:
            guard caller.isForMetrics, person.role == .superAdmin else { throw refusal }
        case .businessOwner:
            guard let business = slug.flatMap({ community.businesses[$0] }) else { throw .notFound(.record(.business)) }
            if business.isManaged(by: person) { return }
            throw business.category == nil ? .notFound(.record(.business)) : refusal
        case .eventEditor, .eventReviewer:
            guard let slug, let event = community.event(at: slug)?.value else { throw .notFound(.record(.event)) }
            if event.isManaged(by: person, in: community) { return }
            let isTheirs = event.submittedBy == person.id
            if self == .eventEditor, isTheirs, !event.status.isPublic { return }
            throw isTheirs || event.status.isPublic && event.slug == slug ? refusal : .notFound(.record(.event))
        }
    }
}

extension BusinessRecord {
    /// Whether the business is visible to a caller: a listed one to all, another one to its owner and super admins.
    public func isVisible(to caller: Caller, in community: Community) -> Bool {
        if categoryID != nil || caller.isSuperAdmin(in: community) { return true }
        return caller.person(in: community).map(isManaged(by:)) ?? false
    }

    /// Whether a person may manage the business: they own it and have the role for it.
    func isManaged(by person: Person) -> Bool {
        ownerID == person.id && person.role != .generalUser
    }
}

extension Community {
    /// The event with a slug, or with the slug that it had before it was public.
    func event(at slug: Slug) -> EventRecord? { self.events[slug] ?? self.events[pending: slug] }
}

extension Event {
    /// Whether a person may manage the business of the event.
    func isManaged(by person: Person, in community: Community) -> Bool {
        business.flatMap { community.businesses[$0]?.isManaged(by: person) } ?? false
    }

    /// Whether the event is visible to a caller: a public one to all, another one as `isKnown` says.
    public func isVisible(to caller: Caller, in community: Community) -> Bool {
        status.isPublic || isKnown(to: caller, in: community)
    }

    /// Whether a caller may read the event before it is public: its submitter and those who may decide on it.
    public func isKnown(to caller: Caller, in community: Community) -> Bool {
        if caller.isSuperAdmin(in: community) { return true }
        guard let person = caller.person(in: community) else { return false }
        return submittedBy == person.id || isManaged(by: person, in: community)
    }
}
