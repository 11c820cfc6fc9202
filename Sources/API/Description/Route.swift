import Dispatcher
import HTTP
import Service

/// An endpoint and its description. The tests of permissions and the descriptions of the API are made from this value.
struct Route: Sendable {
    /// What it does, as a sentence without subject and full stop: `Adds a business`.
    let summary: String
    /// The body of a request.
    let takes: Shape
    /// The body of a successful response.
    let gives: Shape
    /// The status of a successful response.
    let status: Status
    let parameters: [QueryParameter]
    let endpoint: Endpoint

    var access: Access { endpoint.access }
}

/// The shape of a body.
enum Shape: Sendable, Hashable {
    case nothing
    /// An object with a schema.
    case one(Schema)
    /// `{"items":[…]}` with objects of a schema.
    case items(Schema)
    /// `{"items":[…],"pagination":{…}}` with objects of a schema.
    case page(Schema)
    /// A merge patch of an object with a schema (RFC 7396).
    case patch(Schema)
    /// Changes as server-sent events, or as `{"reset":…,"changes":[…],"position":…,"more":…}`.
    case changes
    /// Not JSON: a file in one of the formats of import and export, or text for a scraper.
    case file

    /// The bodies of requests with this shape.
    fileprivate var body: AcceptedBody {
        switch self {
        case .nothing: .none
        case .file: .file(upTo: Administration.importLimit)
        default: .of("application/json", "application/merge-patch+json")
        }
    }
}

/// Routes with their methods and patterns, in the order of the descriptions.
struct RouteList {
    private(set) var all: [(method: Method, pattern: String, route: Route)] = []

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - summary: what it does; see `Route`.
    ///   - types: the formats of responses besides JSON, which a client may prefer by `Accept`.
    ///   - audit: the action of its audit entries; nil when the audit records only refusals.
    ///   - hasPriority, isCancelledByClose, loginAddress, changesNothing: see `Endpoint`.
    mutating func add(
        _ method: Method, _ pattern: String, _ summary: String, _ access: Access = .anyone, takes: Shape = .nothing,
        gives: Shape, status: Status = .ok, query parameters: [QueryParameter] = [], types: [MediaType] = [],
        audit: AuditEntry.Action? = nil, hasPriority: Bool = false, isCancelledByClose: Bool = false,
        loginAddress: (@Sendable (Call) -> String?)? = nil, changesNothing: (@Sendable (Call) -> Bool)? = nil,
        _ handler: Endpoint.Handler
    ) {
        let endpoint = Endpoint(
            access, body: takes.body, types: [.json] + types,
            parameters: parameters.map { Endpoint.Parameter($0.name, isRepeated: $0.isRepeated) }, audit: audit,
            hasPriority: hasPriority, isCancelledByClose: isCancelledByClose, loginAddress: loginAddress,
            changesNothing: changesNothing, handler: handler)
        let route = Route(
            summary: summary, takes: takes, gives: gives, status: status, parameters: parameters, endpoint: endpoint)
        all.append((method, pattern, route))
    }
}
