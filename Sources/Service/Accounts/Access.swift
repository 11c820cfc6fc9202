import SookeModel
import Store

/// Who may use a use case.
///
/// It is checked twice: when a request arrives, before its body is read, and once more inside the transaction, on the
/// version that is changed. So a role that is taken away counts from its commit on.
public enum Access: Sendable, Hashable, CaseIterable {
    /// Everybody, without an account.
    case anyone
    /// Everybody who has an account.
    case member
    /// The owner of a business.
    case businessOwner
    /// The person who submitted an event, while it is not public; the owner of the business where it happens.
    case eventEditor
    /// The owner of the business where an event happens.
    case eventReviewer
    /// A super admin, who may also do everything above.
    case superAdmin
    /// A super admin, also with a token for metrics.
    case metricsReader
    /// The user that runs the server, over the local socket.
    case folderOwner

    /// Checks the permission of a caller.
    ///
    /// - Parameter slug: the slug of the record that is asked for.
    /// - Throws: `loginRequired`, `invalidToken`; `forbidden` and `insufficientScope` for what the caller may see and
    ///   not change; `notFound` for what does not exist for them.
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
    /// Whether the business exists for a caller: a listed one for everybody, another for its owner and super admins.
    public func isVisible(to caller: Caller, in community: Community) -> Bool {
        if categoryID != nil || caller.isSuperAdmin(in: community) { return true }
        return caller.person(in: community).map(isManaged(by:)) ?? false
    }

    /// Whether a person may manage the business: it is theirs, and so is the role.
    func isManaged(by person: Person) -> Bool {
        ownerID == person.id && person.role != .generalUser
    }
}

extension Community {
    /// The event with a slug, or with the slug that it had before it was public.
    func event(at slug: Slug) -> EventRecord? { self.events[slug] ?? self.events[pending: slug] }
}

extension Event {
    /// Whether a person may manage the business where the event happens.
    func isManaged(by person: Person, in community: Community) -> Bool {
        business.flatMap { community.businesses[$0]?.isManaged(by: person) } ?? false
    }

    /// Whether the event exists for a caller: a public one for everybody, another one for those who `isKnown` names.
    public func isVisible(to caller: Caller, in community: Community) -> Bool {
        status.isPublic || isKnown(to: caller, in: community)
    }

    /// Whether a caller may see the event before it is public: the submitter and those who decide on it.
    public func isKnown(to caller: Caller, in community: Community) -> Bool {
        if caller.isSuperAdmin(in: community) { return true }
        guard let person = caller.person(in: community) else { return false }
        return submittedBy == person.id || isManaged(by: person, in: community)
    }
}
