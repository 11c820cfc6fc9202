import HTTP
import Service

/// A route: what the API says of it, and what answers it. Dispatch, the tests of who may what, and descriptions of the
/// API all come from this value.
struct Route: Sendable {
    /// What it does, in a sentence without its subject and full stop: `Adds a business`.
    let summary: String
    /// Who may.
    let access: Access
    /// What the body of a request holds.
    let takes: Shape
    /// What the body of a good answer holds.
    let gives: Shape
    /// The status of a good answer.
    let status: Status
    /// What answers it.
    let handler: Handler
    /// What the audit calls it, whoever may and does; nil when only refusals are kept.
    var audit: AuditEntry.Action?
    /// What its query may hold.
    var parameters: [QueryParameter] = []

    /// A route that only looks.
    static func read(
        _ summary: String, _ access: Access = .anyone, gives: Shape,
        _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Response
    ) -> Route {
        Route(summary: summary, access: access, takes: .nothing, gives: gives, status: .ok, handler: .read(handler))
    }

    /// A route that looks at what is public.
    static func show(
        _ summary: String, gives: Shape, _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Shown
    ) -> Route {
        Route(summary: summary, access: .anyone, takes: .nothing, gives: gives, status: .ok, handler: .show(handler))
    }

    /// A route that changes something, or takes its time.
    static func write(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) -> Route {
        Route(
            summary: summary, access: access, takes: takes, gives: gives, status: status, handler: .write(handler))
    }

    /// A route that makes a change.
    static func change(
        _ summary: String, _ access: Access, takes: Shape = .nothing, gives: Shape, status: Status = .ok,
        _ handler: @escaping @Sendable (Call) throws(HTTPError) -> Transaction<Outcome>
    ) -> Route {
        Route(
            summary: summary, access: access, takes: takes, gives: gives, status: status, handler: .change(handler))
    }

    /// The same route, each use of which is kept in the audit.
    func audited(as action: AuditEntry.Action) -> Route {
        var route = self
        route.audit = action
        return route
    }

    /// The same route, with what its query may hold.
    func with(_ parameters: QueryParameter...) -> Route {
        var route = self
        route.parameters = parameters
        return route
    }

    /// Whether it changes something by this method, or is for few.
    func isGuarded(_ method: Method) -> Bool {
        [.superAdmin, .metricsReader, .folderOwner].contains(access) || !method.isSafe
    }
}

/// What a body holds.
enum Shape: Sendable, Hashable {
    /// There is none.
    case nothing
    /// One object of a kind.
    case one(Schema)
    /// `{"items":[…]}` of a kind.
    case items(Schema)
    /// `{"items":[…],"pagination":{…}}` of a kind.
    case page(Schema)
    /// A merge patch of a kind (RFC 7396).
    case patch(Schema)
    /// Not JSON: a file in one of the formats of import and export, or text for a scraper.
    case file
}
