import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/history`: the changes of a record, with their authors and times.
enum HistoryRoutes {
    /// The range of the number of changes in a response.
    private static let limits = 1...100

    static func add(to routes: inout RouteList) {
        // Not on an event loop, because it reads the log.
        routes.get(
            "/api/v1/history",
            .async("Lists the changes of a record, the newest first", .member, gives: .items(.change), list)
                .with(.of, .limit, .before, .searched))
    }

    private static func list(_ call: Call) async throws -> Response {
        let (kind, name) = try subject(of: call)
        let limit = try call.count("limit") ?? PageRequest.defaultSize
        guard limits.contains(limit) else {
            throw HTTPError.invalidParameter("limit is a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        let (before, searched) = (try call.count("before"), try call.count("searched"))
        let history = try await call.service.history(
            of: kind, named: name, limit: limit, before: before, searched: searched, for: call.context())
        return .plainJSON(history.shown(to: call))
    }

    /// The record in `of`, such as `businesses/slack-tide`: its kind, and its slug or ID.
    private static func subject(of call: Call) throws(HTTPError) -> (kind: RecordKind, name: String) {
        let parts = (try call.parameter("of") ?? "").utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty,
            let kind = Town.sharedKinds.first(where: { $0.segment.utf8.elementsEqual(parts[0]) })
        else {
            throw .invalidParameter("of names a record, such as businesses/the-slack-tide-pub")
        }
        return (kind, String(decoding: parts[1], as: UTF8.self))
    }
}

extension History {
    /// The response, with the current names of people.
    fileprivate func shown(to call: Call) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for entry in entries { entry.show(to: &writer, for: call) }
        writer.endArray()
        writer.member("next", next)
        if let searched { writer.member("searched", searched) }
        writer.endObject()
        return writer.bytes
    }
}

extension History.Entry {
    fileprivate func show(to writer: inout JSONWriter, for call: Call) {
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.member("at", at.rfc3339)
        writer.key("by")
        by.show(to: &writer, for: call)
        writer.member("action", action.rawValue)
        if !isBeforeKnown { writer.member("is_before_known", false) }
        writer.key("changes")
        writer.beginArray()
        for field in fields {
            writer.beginObject()
            writer.member("field", field.name)
            writer.key("before")
            writer.rawOrNull(field.before)
            writer.key("after")
            writer.rawOrNull(field.after)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension Author {
    /// A person with the current name of the account, or without a name if it was deleted; or `local`.
    fileprivate func show(to writer: inout JSONWriter, for call: Call) {
        switch self {
        case .local: writer.string("local")
        case .other(let text): writer.string(text)
        case .person(let id):
            let person = call.town.people[id]
            let showsAddress = call.service.showsAddress(of: id, to: call.caller, in: call.town)
            writer.beginObject()
            writer.member("id", id)
            writer.member("display_name", person?.displayName)
            writer.member("email", showsAddress ? person?.email : nil)
            writer.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes a value that already is JSON; nil as null.
    fileprivate mutating func rawOrNull(_ value: [UInt8]?) {
        if let value { raw(value) } else { null() }
    }
}

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
                let entries = try call.service.audit?.newest(limit, of: books) ?? []
                return .plainJSON(.items(entries) { $0.append(contentsOf: $1) } + [UInt8(ascii: "}")])
            }.with(.limit, .strangers))
    }
}
