import HTTP
import JSON
import SookeModel
import Store

/// `/history`: who changed a record, when and what.
enum HistoryRoutes {
    /// So many changes are given at most.
    private static let limits = 1...100

    static func add(to routes: inout RouterBuilder<Route>) {
        // Not on an event loop: the log is read for it.
        routes.get(
            "/api/v1/history",
            .write("Tells who changed a record, when and what, the newest first", .member, gives: .items(.change), list)
                .with(.of, .limit, .before, .searched))
    }

    private static func list(_ call: Call) async throws -> Response {
        let record = try Subject(call)
        let limit = try call.count("limit") ?? PageRequest.defaultSize
        guard limits.contains(limit) else {
            throw HTTPError.invalidParameter("limit is a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        let (before, searched) = (try call.count("before"), try call.count("searched"))
        let permit = try call.town.accounts.histories.admit(call.caller.personID)
        defer { permit?.end() }
        let history = try await call.town.store.history(
            of: record.kind, id: record.id, limit: limit, before: before, searched: searched,
            isWanted: call.isWanted)
        // Nobody knows a number that no record ever had.
        if !record.isThere, history.entries.isEmpty, history.next == nil, before == nil {
            throw HTTPError.notFound(record.isMissing)
        }
        return .plainJSON(history.shown(to: call))
    }
}

/// The record whose history is asked for.
private struct Subject {
    let kind: RecordKind
    let id: Int
    /// Whether there is such a record now.
    let isThere: Bool

    /// What to say when there never was one.
    var isMissing: String { "there is no such \(kind.label)" }

    /// Finds the record that `of` names, such as `businesses/slack-tide`, by its slug or one that it had before; a
    /// super admin may give its number too, also that of one that is gone.
    ///
    /// - Throws: 400; 403 and 404 as the routes that change the record do.
    init(_ call: Call) throws(HTTPError) {
        let parts = (try call.parameter("of") ?? "").utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty,
            let kind = Self.kinds.first(where: { $0.name.utf8.elementsEqual(parts[0]) })?.kind
        else {
            throw .invalidParameter("of names a record, such as businesses/the-slack-tide-pub")
        }
        let (name, community) = (String(decoding: parts[1], as: UTF8.self), call.community)
        self.kind = kind
        if call.caller.isSuperAdmin(in: community) {
            if let id = Self.id(of: kind, name, in: community) {
                (self.id, isThere) = (id, true)
            } else if let id = Int(name), id > 0 {
                (self.id, isThere) = (id, Self.isThere(kind, id, in: community))
            } else {
                throw .notFound("there is no such \(kind.label)")
            }
            return
        }
        switch kind {
        case .business, .event:
            guard let id = Self.id(of: kind, name, in: community) else {
                throw kind == .business ? .noSuchBusiness : .noSuchEvent
            }
            (self.id, isThere) = (id, true)
            try Self.check(call, kind, id, at: Slug(name))
        default:
            throw .forbidden
        }
    }

    /// The kinds by the name that they have in addresses.
    private static let kinds: [(name: String, kind: RecordKind)] = [
        ("businesses", .business), ("events", .event), ("categories", .category), ("event-types", .eventType),
        ("users", .person),
    ]

    private static func id(of kind: RecordKind, _ name: String, in community: Community) -> Int? {
        let slug = Slug(name)
        switch kind {
        case .business: return (community.businesses[slug] ?? community.businesses[formerly: slug])?.id
        case .event: return (community.event(at: slug) ?? community.events[formerly: slug])?.value.id
        case .category: return community.categories[slug]?.value.id
        case .eventType: return community.eventTypes[slug]?.value.id
        default: return nil
        }
    }

    private static func isThere(_ kind: RecordKind, _ id: Int, in community: Community) -> Bool {
        switch kind {
        case .business: community.businesses[id] != nil
        case .event: community.events[id] != nil
        case .category: community.categories[id] != nil
        case .eventType: community.eventTypes[id] != nil
        default: community.people.has(id: id)
        }
    }

    /// Lets those see a history who may change the record, and those who submitted it.
    private static func check(_ call: Call, _ kind: RecordKind, _ id: Int, at given: Slug) throws(HTTPError) {
        let community = call.community
        if kind == .business {
            let slug = community.businesses[id]?.slug
            return try Access.businessOwner.check(call.caller, slug: slug, in: community)
        }
        guard let event = community.events[id]?.value else { throw .noSuchEvent }
        if event.submittedBy != nil, event.submittedBy == call.caller.personID { return }
        // By the address that was given: that of an event before it was public is known to few.
        let slug = community.event(at: given) == nil ? event.slug : given
        try Access.eventReviewer.check(call.caller, slug: slug, in: community)
    }
}

extension History {
    /// The answer, with the names that people have now.
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
    /// A person with the name that the account has now, without one when it is gone; or `local`. The address of another
    /// is for super admins: who submits an event does not learn that of who decides on it.
    fileprivate func show(to writer: inout JSONWriter, for call: Call) {
        switch self {
        case .local: writer.string("local")
        case .other(let text): writer.string(text)
        case .person(let id):
            let person = call.community.people[id]
            let showsAddress = call.caller.personID == id || call.caller.isSuperAdmin(in: call.community)
            writer.beginObject()
            writer.member("id", id)
            writer.member("display_name", person?.displayName)
            writer.member("email", showsAddress ? person?.email : nil)
            writer.endObject()
        }
    }
}

extension JSONWriter {
    /// Writes a value that is JSON already; none is null.
    fileprivate mutating func rawOrNull(_ value: [UInt8]?) {
        if let value { raw(value) } else { null() }
    }
}
