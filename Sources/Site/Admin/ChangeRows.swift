import Bytes
import Dispatcher
import JSON
import Service
import SookeModel
import Store

/// Changes as a list: by day, who changed what, each with its fields before and after and a button that undoes it.
struct ChangeRows {
    struct Row {
        let position: HistoryPosition
        let at: Timestamp
        let by: Author
        var act: CommitAct?
        let parts: [Part]
        let isUndoable: Bool
    }

    struct Part {
        /// Nil for the record whose page the list is on.
        var title: String?
        var link: Link?
        let verb: String
        let fields: [History.Field]
    }

    private let view: View
    private let rows: [Row]
    /// An import is one row.
    private static let mostParts = 8
    private static let mostBytes = 300

    private init(_ view: View) { (self.view, rows) = (view, []) }

    static func differences(from before: any TableRecord, to after: any TableRecord, _ view: View) -> HTML {
        ChangeRows(view).list((try? History.Field.changed(from: before.value, to: after.value)) ?? [])
    }

    init(_ history: History, of kind: RecordKind, _ view: View) {
        self.view = view
        let isEditor = view.call.caller.isEditor(in: view.town)
        let own = SettableFields.ownBusiness.names + ["confirmed_at", "confirmed_by"]
        rows = history.entries.map { entry in
            let fields = entry.action == .updated ? entry.fields : []
            let verb = entry.action == .created ? "Added" : entry.action == .updated ? "Changed" : "Deleted"
            let mayUndo = isEditor || kind == .event || fields.allSatisfy { own.contains($0.name) }
            return Row(
                position: entry.position, at: entry.at, by: entry.by,
                parts: [Part(verb: verb, fields: fields)],
                isUndoable: entry.action == .updated && mayUndo)
        }
    }

    init(_ history: CommitHistory, _ view: View) {
        self.view = view
        let removed = RemovedRecords(view.town)
        rows = history.commits.compactMap { commit in
            let parts = commit.items.prefix(Self.mostParts).compactMap { Self.part($0, removed, view) }
            let rest = commit.items.count - Self.mostParts
            // The town's first settings stay.
            let isReversible = commit.items.contains { !$0.kind.hasOneRecord || $0.before != nil }
            if parts.isEmpty { return nil }
            return Row(
                position: commit.position, at: commit.at, by: commit.by, act: commit.act,
                parts: parts + (rest > 0 ? [Part(title: "\(Count(rest, "other"))", verb: "too", fields: [])] : []),
                isUndoable: isReversible && view.call.service.mayUndo(commit, for: view.call.caller, in: view.town))
        }
    }

    private static func part(_ item: ChangeSet.Item, _ removed: RemovedRecords, _ view: View) -> Part? {
        if let proposal = item.after as? Proposal {
            let title = proposal.about == .event ? "An event that was sent" : "A report"
            return Part(title: title, verb: proposal.state.rawValue, fields: [])
        }
        guard let record = item.after ?? item.before else { return nil }
        let isUpdate = item.before != nil && item.after != nil
        let fields = isUpdate ? (try? History.Field.changed(from: item.before, to: item.after)) ?? [] : []
        let shown = removed.cleared(fields)
        let withdrawn = [item.before, item.after].map { ($0 as? Event)?.withdrawnAt }
        // Others of its marks are no news.
        let isWithdrawn = isUpdate && withdrawn[0] != withdrawn[1]
        if isUpdate, !isWithdrawn, shown.allSatisfy({ hidden.contains($0.name) }) { return nil }
        let moved = withdrawn[1] == nil ? "in its calendar again" : "withdrawn by its calendar"
        let changed = isWithdrawn ? moved : "changed"
        let verb = item.before == nil ? "added" : item.after == nil ? "deleted" : changed
        let name = item.kind == .settings ? "Settings" : "\(kind(item.kind)) \(record.nameInTrash)"
        return Part(title: name, link: link(to: item.target, in: view.town), verb: verb, fields: shown)
    }

    static func kind(_ kind: RecordKind) -> String {
        switch kind {
        case .business: "Place"
        case .person: "Person"
        default: kind.label.prefix(1).uppercased() + kind.label.dropFirst()
        }
    }

    static func link(to target: ReferenceTarget, in town: Town) -> Link? {
        switch target.kind {
        case .business: town.businesses[target.id].map { Link(under: "/account/businesses", $0.slug) }
        case .event: town.events[target.id].map { Link(under: "/account/events", $0.value.slug) }
        case .person: town.people[target.id].map { Link("/admin/people/", "\($0.id)", "") }
        case .notice: town.notices[target.id].map { Link(under: "/admin/notices", $0.slug) }
        case .category, .eventType: Link("/admin/categories")
        case .settings: Link("/admin/town")
        case .proposal: Link("/account/waiting")
        default: nil
        }
    }

    var markup: HTML {
        var days: [(date: CivilDate, rows: [Row])] = []
        for row in rows {
            let date = view.words.local(row.at).date
            if days.last?.date == date { days[days.count - 1].rows.append(row) } else { days.append((date, [row])) }
        }
        if days.isEmpty { return "<p class=\"soft\">Nothing here.</p>" }
        return """
            \(each: days, { day in
                """
                <section class="section"><h2>\(view.words.name(of: day.date)) <span \
                class="soft">\(view.words.subtitle(of: day.date))</span></h2><div class="stack">\
                \(each: day.rows, card)</div></section>
                """
            })
            """
    }

    private func card(of row: Row) -> HTML {
        """
        <article class="card" data-key="c\(row.position.sequence)"><p class="small soft">\(view.words.time(row.at)), \
        <bdi>\(author(row.by))</bdi>\(act(of: row))</p>\(each: row.parts, part)\
        \(if: row.isUndoable, UndoPage.button(row.position))</article>
        """
    }

    private func author(_ author: Author) -> String {
        switch author {
        case .local: "the server"
        case .person(let id): view.town.people[id].map { $0.displayName.shown ?? $0.email } ?? "a removed account"
        case .other(let name): name
        }
    }

    private func act(of row: Row) -> String {
        switch row.act?.verb {
        case "pull": ", from the calendar" + (row.act?.file.map { " \"\($0)\"" } ?? "")
        case "import": ", import" + (row.act?.file.map { " of \($0)" } ?? "")
        case "undo": ", undo"
        case "remove": ", removal for good"
        default: ""
        }
    }

    private func name(of part: Part) -> HTML {
        guard let title = part.title else { return "" }
        guard let link = part.link else { return "<bdi>\(title)</bdi> " }
        return "<a dir=\"auto\" href=\"\(link: link)\">\(title)</a> "
    }

    private func part(_ part: Part) -> HTML {
        let sentence: HTML = "\(name(of: part))\(part.verb)"
        return "<p>\(sentence)</p>\(list(part.fields))"
    }

    private func list(_ fields: [History.Field]) -> HTML {
        let fields = fields.filter { !Self.hidden.contains($0.name) }
        if fields.isEmpty { return "" }
        return """
            <dl class="pair small">\(each: fields, { field in
                """
                <dt>\(Self.label(field.name))</dt><dd dir="auto"><del>\(text(field.before, of: field))</del> → \
                <ins>\(text(field.after, of: field))</ins></dd>
                """
            })</dl>
            """
    }

    /// What follows from other fields, and what only the server reads.
    private static let hidden = [
        "over_at", "starts_at", "ends_at", "former_slugs", "pending_slug", "removed", "zone_data", "sources",
    ]

    static func label(_ name: String) -> String {
        switch name {
        case "starts_local": "Start"
        case "ends_local": "End"
        case "owner_id": "Owner"
        case "slug": "Address of its page"
        case "rrule": "Repeats"
        case "exdates": "Dates left out"
        case "rdates": "Further dates"
        case "overrides": "Changed dates"
        default:
            name.prefix(1).uppercased()
                + name.dropFirst().utf8.split(separator: UInt8(ascii: "_"))
                .map { String(Substring($0)) }.joined(separator: " ")
        }
    }

    private func text(_ value: [UInt8]?, of field: History.Field) -> String {
        let isPerson = field.name.hasSuffix("_by") || field.name == "owner_id"
        let id = isPerson ? value.flatMap { Int(String(decoding: $0, as: UTF8.self)) } : nil
        return id.map { author(.person($0)) } ?? Self.text(value)
    }

    /// A value as people read it: without the names of members and without what is empty.
    static func text(_ value: [UInt8]?) -> String {
        guard let value else { return "nothing" }
        var (reader, parts) = (JSONReader(value, limits: .trusted), [String]())
        try? read(&reader, &parts)
        let text = parts.joined(separator: " ")
        return text.isEmpty ? "nothing" : text.excerpt(bytes: mostBytes)
    }

    private static func read(_ reader: inout JSONReader, _ parts: inout [String]) throws(JSONError) {
        switch try reader.peek() {
        case .object:
            try reader.beginObject()
            while let name = try reader.nextKey() {
                if name == "id" { try reader.skipValue() } else { try read(&reader, &parts) }
            }
        case .array:
            try reader.beginArray()
            var isFirst = true
            while try reader.nextElement() {
                if !isFirst { parts.append("·") }
                isFirst = false
                try read(&reader, &parts)
            }
        case .string: parts.append(try reader.readString())
        default:
            let raw = String(decoding: try reader.readRaw(), as: UTF8.self)
            if raw != "null" { parts.append(raw == "true" ? "yes" : raw == "false" ? "no" : raw) }
        }
    }
}
