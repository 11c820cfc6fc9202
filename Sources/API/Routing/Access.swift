import HTTP
import SookeModel
import Store

/// Who may use a route: the rows of the API's table of who may what.
///
/// It is asked twice: before the body is read, unless the caller may do everything anyway, and once more inside the
/// transaction, on the version that is changed.
/// So a role that is taken away counts from its commit on.
enum Access: Sendable, Hashable, CaseIterable {
    /// Everybody, without an account.
    case anyone
    /// Whoever has an account.
    case member
    /// Who looks after the business `{slug}`.
    case businessOwner
    /// Who submitted the event `{slug}`, while it is not public; who looks after its place.
    case eventEditor
    /// Who looks after the place of the event `{slug}`.
    case eventReviewer
    /// Who looks after the town; may do everything above, too.
    case superAdmin
    /// A super admin, also with a token for the metrics.
    case metricsReader
    /// The user that runs the server, over the socket in the data folder.
    case folderOwner

    /// Lets a caller through, or says why not.
    ///
    /// - Throws: 401 when nobody has logged in, or their token was ended; 403 for what the caller may see and not
    ///   change; 404 for what they may not even know of.
    func check(_ caller: Caller, slug: Slug?, in community: Community) throws(HTTPError) {
        if self == .anyone { return }
        guard caller.isKnown else { throw .unauthorized }
        if self == .folderOwner {
            guard caller == .owner else { throw .forbidden }
            return
        }
        if caller.isSuperAdmin(in: community) { return }
        guard let person = caller.person(in: community) else { throw .invalidToken }
        let refusal = person.role == .superAdmin ? HTTPError.insufficientScope : .forbidden
        switch self {
        case .anyone, .member: return
        case .superAdmin, .folderOwner: throw refusal
        case .metricsReader:
            guard caller.isForMetrics, person.role == .superAdmin else { throw refusal }
        case .businessOwner:
            guard let business = slug.flatMap({ community.businesses[$0] }) else { throw .noSuchBusiness }
            if business.isLookedAfter(by: person) { return }
            throw business.category == nil ? .noSuchBusiness : refusal
        case .eventEditor, .eventReviewer:
            guard let slug, let event = community.event(at: slug)?.value else { throw .noSuchEvent }
            if event.isLookedAfter(by: person, in: community) { return }
            let isTheirs = event.submittedBy == person.id
            if self == .eventEditor, isTheirs, !event.status.isPublic { return }
            throw isTheirs || event.status.isPublic && event.slug == slug ? refusal : .noSuchEvent
        }
    }
}

extension BusinessRecord {
    /// Whether a caller may know of it: everybody of what is listed; else who looks after it, or after the town.
    func isVisible(to caller: Caller, in community: Community) -> Bool {
        if categoryID != nil || caller.isSuperAdmin(in: community) { return true }
        return caller.person(in: community).map(isLookedAfter(by:)) ?? false
    }

    /// Whether a person looks after it: it is theirs, and their role lets them.
    func isLookedAfter(by person: Person) -> Bool {
        ownerID == person.id && person.role != .generalUser
    }
}

extension Community {
    /// The event of a slug, or of the one that it had before it was public.
    func event(at slug: Slug) -> EventRecord? { self.events[slug] ?? self.events[pending: slug] }
}

extension Event {
    /// Whether a person looks after the business where it happens.
    func isLookedAfter(by person: Person, in community: Community) -> Bool {
        business.flatMap { community.businesses[$0]?.isLookedAfter(by: person) } ?? false
    }

    /// Whether a caller may see it: everybody what is public; else who submitted it and who decides on it.
    func isVisible(to caller: Caller, in community: Community) -> Bool {
        status.isPublic || isKnown(to: caller, in: community)
    }

    /// Whether a caller may see it before it is public: who submitted it and who decides on it.
    func isKnown(to caller: Caller, in community: Community) -> Bool {
        if caller.isSuperAdmin(in: community) { return true }
        guard let person = caller.person(in: community) else { return false }
        return submittedBy == person.id || isLookedAfter(by: person, in: community)
    }
}

extension HTTPError {
    /// 401 `unauthorized`: the route needs somebody who has logged in (RFC 9110, section 11.6.1).
    static let unauthorized = HTTPError(
        .unauthorized, code: "unauthorized", message: "log in, or send a token: Authorization: Bearer …",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\""])

    /// 401 `invalid_token` (RFC 6750, section 3.1): the token was never given, is used up, revoked or expired.
    static let invalidToken = HTTPError(
        .unauthorized, code: "invalid_token", message: "the token is not or no longer valid; log in again",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\", error=\"invalid_token\""])

    /// 403 `forbidden`.
    static let forbidden = HTTPError(.forbidden, code: "forbidden", message: "you do not have permission to do this")

    /// 403 `insufficient_scope` (RFC 6750, section 3.1): the API token is for less.
    static let insufficientScope = HTTPError(
        .forbidden, code: "insufficient_scope", message: "this token is not meant for that",
        headers: ["WWW-Authenticate": "Bearer realm=\"sooke\", error=\"insufficient_scope\""])

    /// 404 `not_found`.
    static let noSuchBusiness = HTTPError.notFound("there is no such business")
    /// 404 `not_found`.
    static let noSuchEvent = HTTPError.notFound("there is no such event")
}
