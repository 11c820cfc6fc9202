/// The parts of the description of the API: its tags in OpenAPI, and the sections of the page for people.
enum RouteGroup: String, CaseIterable {
    case businesses, events, categories, changes, accounts, administration, server

    private static let root = "/api/v1/"

    /// The group of a route, by the first part of its path.
    init(of pattern: String) {
        let first = pattern.hasPrefix(Self.root) ? pattern.dropFirst(Self.root.count).prefix { $0 != "/" } : ""
        self =
            switch first.prefix(while: { $0 != "." }) {
            case "businesses", "confirmations": .businesses
            case "events": .events
            case "categories", "event-types": .categories
            case "changes", "history": .changes
            case "session", "me", "users", "invitations", "password-reset", "setup": .accounts
            case "admin": .administration
            default: .server
            }
    }

    /// The heading.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// What its routes are for, as a sentence.
    var explanation: String {
        switch self {
        case .businesses: "The directory: businesses with their hours and menus."
        case .events: "The calendar: events, recurring ones too, and their approval."
        case .categories: "The categories of businesses, and the types of events."
        case .changes: "The live feed of changes, and the history of a record."
        case .accounts: "Logins, sessions, accounts, invitations and passwords."
        case .administration: "Tokens, import, export, backups, the audit and the status."
        case .server: "Health, metrics and this description."
        }
    }
}
