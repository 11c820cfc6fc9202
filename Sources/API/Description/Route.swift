import Dispatcher
import HTTP
import Service

/// An endpoint and its description. The tests of permissions and the descriptions of the API are made from this value.
struct Route: Sendable {
    /// A sentence without subject and full stop: `Adds a business`.
    let summary: String
    let takes: Shape
    let gives: Shape
    let status: Status
    let parameters: [QueryParameter]
    let endpoint: Endpoint

    var access: Access { endpoint.access }
}

enum Shape: Sendable, Hashable {
    case nothing
    case one(Schema)
    /// `{"items":[…]}`
    case items(Schema)
    /// `{"items":[…],"pagination":{…}}`
    case page(Schema)
    /// RFC 7396.
    case patch(Schema)
    /// Server-sent events, or `{"reset":…,"changes":[…],"position":…,"more":…}`.
    case changes
    /// Of imports and exports, or text for a scraper.
    case file

    fileprivate var body: AcceptedBody {
        switch self {
        case .nothing: .none
        case .file: .file(upTo: Administration.importLimit)
        default: .of("application/json", "application/merge-patch+json")
        }
    }
}

extension Endpoint.Handler {
    static func outcome(_ useCase: @escaping @Sendable (Call) async throws -> Outcome) -> Self {
        .async { call in call.response(try await useCase(call)) }
    }
}

/// In the order of the descriptions.
struct RouteList {
    private(set) var all: [(method: Method, pattern: String, route: Route)] = []

    /// - Parameter types: formats besides JSON, which a client may prefer by `Accept`.
    mutating func add(
        _ method: Method, _ pattern: String, _ summary: String, _ access: Access = .anyone, takes: Shape = .nothing,
        gives: Shape, status: Status = .ok, query parameters: [QueryParameter] = [], types: [MediaType] = [],
        audit: AuditEntry.Action? = nil, hasPriority: Bool = false,
        loginAddress: (@Sendable (Call) -> String?)? = nil, changesNothing: (@Sendable (Call) -> Bool)? = nil,
        _ handler: Endpoint.Handler
    ) {
        let endpoint = Endpoint(
            access, body: takes.body, types: [.json] + types,
            parameters: parameters.map { Endpoint.Parameter($0.name, isRepeated: $0.isRepeated) }, audit: audit,
            hasPriority: hasPriority, loginAddress: loginAddress,
            changesNothing: changesNothing, handler: handler)
        let route = Route(
            summary: summary, takes: takes, gives: gives, status: status, parameters: parameters, endpoint: endpoint)
        all.append((method, pattern, route))
    }
}
