import Dispatcher
import HTTP
import Synchronization

/// The description of the API, as JSON and as a page. Both are rendered from the routes themselves, on the first
/// request.
final class APIDescription: Sendable {
    private struct Documents {
        let openAPI: Response
        let page: Response
    }

    private let stylesheet: String?
    private let routes = Mutex<[OpenAPI.Described]>([])
    private let documents = Mutex<Documents?>(nil)

    init(stylesheet: String?) {
        self.stylesheet = stylesheet
    }

    func add(to routes: inout RouteList) {
        for path in ["/openapi.json", "/api/v1/openapi.json"] {
            routes.add(
                .get, path, "Describes the API for programs (OpenAPI 3.1)", gives: .file,
                .read { [self] _ in made.openAPI })
        }
        routes.add(.get, "/docs", "Describes the API as a page", gives: .file, .read { [self] _ in made.page })
    }

    func describe(_ routes: [OpenAPI.Described]) {
        self.routes.withLock { $0 = routes }
    }

    private var made: Documents {
        documents.withLock { documents in
            if let documents { return documents }
            let routes = routes.withLock { $0 }
            let made = Documents(
                openAPI: .json(OpenAPI.document(of: routes)),
                page: .page(DocumentationPage.of(routes, stylesheet: stylesheet)))
            documents = made
            return made
        }
    }
}

extension Response {
    fileprivate static func page(_ body: [UInt8]) -> Response {
        var response = Response.revalidated(MediaType.html.field, body)
        response.sources = "style-src 'self' \(DocumentationPage.styleSource)"
        return response
    }
}

/// Tags in OpenAPI, and sections of the page.
enum RouteGroup: String, CaseIterable {
    case businesses, events, proposals, categories, changes, accounts, administration, server

    private static let root = "/api/v1/"

    init(of pattern: String) {
        let first = pattern.hasPrefix(Self.root) ? pattern.dropFirst(Self.root.count).prefix { $0 != "/" } : ""
        self =
            switch first.prefix(while: { $0 != "." }) {
            case "businesses", "confirmations": .businesses
            case "events", "calendars", "calendar-checks": .events
            case "proposals": .proposals
            case "categories", "event-types": .categories
            case "changes", "history": .changes
            case "session", "me", "users", "invitations", "password-reset", "setup": .accounts
            case "admin": .administration
            default: .server
            }
    }

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    var explanation: String {
        switch self {
        case .businesses: "The directory: businesses with their hours and menus."
        case .events: "The calendar: events, recurring ones too, and their approval."
        case .proposals: "What people sent in for a decision by the pages, with or without an account."
        case .categories: "The categories of businesses, and the types of events."
        case .changes: "The live feed of changes, and the history of a record."
        case .accounts: "Logins, sessions, accounts, invitations and passwords."
        case .administration: "Tokens, import, export, backups, the audit and the status."
        case .server: "Health, metrics and this description."
        }
    }
}
