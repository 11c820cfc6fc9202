import Dispatcher
import HTTP
import Service

/// `/admin/audit`: logins, refusals, and actions on accounts and credentials.
enum AuditRoute {
    private static let limits = 1...1000
    private static let usual = 100

    static func add(to routes: inout RouteList) {
        // Not on an event loop, because it reads a file.
        routes.get(
            "/api/v1/admin/audit",
            .async(
                "Lists logins, refusals and changes of accounts, the newest first", .superAdmin, gives: .items(.audit)
            ) {
                call in
                let limit = try call.count("limit") ?? usual
                guard limits.contains(limit) else {
                    throw HTTPError.invalidParameter("limit is a number from 1 to \(limits.upperBound)")
                }
                let books: [AuditBook] = try call.flag("strangers", orElse: true) ? AuditBook.allCases : [.people]
                let entries = try call.town.audit?.newest(limit, of: books) ?? []
                return .plainJSON(.items(entries) { $0.append(contentsOf: $1) } + [UInt8(ascii: "}")])
            }.with(.limit, .strangers))
    }
}
