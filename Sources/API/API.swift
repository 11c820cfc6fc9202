import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// The REST API: its routes, and JSON as the form of their responses.
package struct API: RoutedApplication {
    let routes: [(method: Method, pattern: String, route: Route)]

    package static let kinds: [any SluggedRecord.Type] = [SookeModel.Category.self, EventType.self, Notice.self]

    /// - Parameter administration: nil leaves its routes out.
    package init(
        administration: Administration? = nil, kinds: [any SluggedRecord.Type] = Self.kinds, stylesheet: String? = nil
    ) {
        var routes = RouteList()
        HealthRoute.add(to: &routes)
        BusinessListRoute.add(to: &routes)
        BusinessRoutes.add(to: &routes)
        for kind in kinds { RecordRoutes.add(kind, to: &routes) }
        TownRoutes.add(to: &routes)
        EventRoutes.add(to: &routes)
        CalendarRoutes.add(to: &routes)
        EventWritingRoutes.add(to: &routes)
        PulledCalendarRoutes.add(to: &routes)
        ProposalRoutes.add(to: &routes)
        BusinessPartRoutes.add(to: &routes)
        SessionRoutes.add(to: &routes)
        UserRoutes.add(to: &routes)
        CredentialRoutes.addLinks(to: &routes)
        ConfirmationRoutes.add(to: &routes)
        CredentialRoutes.addTokens(to: &routes)
        HistoryRoutes.add(to: &routes)
        LogRoute.add(to: &routes)
        ChangesRoute.add(to: &routes)
        AuditRoute.add(to: &routes)
        administration?.add(to: &routes)
        ReadOnlyRoutes.add(to: &routes)
        let description = APIDescription(stylesheet: stylesheet)
        description.add(to: &routes)
        if let administration { MetricsRoute.add(to: &routes, facts: administration.facts) }
        self.routes = routes.all
        description.describe(routes.all)
    }

    package var endpoints: [(method: Method, pattern: String, endpoint: Endpoint)] {
        routes.map { ($0.method, $0.pattern, $0.route.endpoint) }
    }

    package func response(_ outcome: Outcome, to call: Call) -> Response { call.response(outcome) }

    package func httpError(_ error: any Error, of call: Call) -> HTTPError { call.httpError(error) }

    package func response(failing error: HTTPError, _ id: RequestID?) -> Response { .error(error, id) }
}
