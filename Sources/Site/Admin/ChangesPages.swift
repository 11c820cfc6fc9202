import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/changes`: what changed in the town, for editors and administrators.
enum ChangesPage {
    static let path = "/admin/changes"
    static let parameters = ["before", "done"]
    static let size = 40

    static func page(_ view: View) async throws -> WebPage {
        let call = view.call
        let history = try await call.service.changes(
            before: call.count("before"), limit: size, for: call.context(hasKey: false))
        let trash: HTML = "<p><a class=\"button quiet\" href=\"/admin/trash\">Deleted</a></p>"
        return WebPage(
            "What changed", .form, tab: .account,
            main: """
                \(AdminParts.head("What changed", view))\(if: try call.parameter("before") == nil, trash)\
                \(ChangeRows(history, view).markup)\(older(history.next, "/admin/changes"))
                """)
    }

    static func older(_ next: Int?, _ path: StaticString) -> HTML {
        """
        \(if: next, { next in
            """
            <div class="actions"><a class="button quiet" href="\(link: Link(path, [("before", "\(next)")]))">Older</a>\
            </div>
            """
        })
        """
    }
}

/// `/account/businesses/{slug}/changes` and `/account/events/{slug}/changes`: what changed of a record, for who may
/// change it.
enum RecordChangesPage {
    static let parameters = ["before", "searched", "done"]

    static func ofBusiness(_ view: View) async throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        return try await page(.business, business.slug, business.name, view)
    }

    static func ofEvent(_ view: View) async throws -> WebPage {
        let event = try OwnEventPage.find(view.call, in: view.town).value
        return try await page(.event, event.slug, event.name, view)
    }

    private static func page(
        _ kind: RecordKind, _ slug: Slug, _ name: String, _ view: View
    ) async throws -> WebPage {
        let call = view.call
        let history = try await call.service.history(
            of: kind, named: slug.text, limit: ChangesPage.size, before: call.count("before"),
            searched: call.count("searched"), for: call.context(hasKey: false))
        let under: StaticString = kind == .event ? "/account/events" : "/account/businesses"
        let next = history.next.map { next in
            Link(under: under, slug, "changes").with([
                ("before", "\(next)"), ("searched", history.searched.map { "\($0)" }),
            ])
        }
        return WebPage(
            "What changed: \(name)", .form, tab: .account, topics: [],
            main: """
                <section class="head"><p class="small crumbs"><a href="/account">You</a> › <a dir="auto" \
                href="\(link: Link(under: under, slug))">\(name)</a></p><h1>What changed</h1>\(view.done)</section>\
                \(ChangeRows(history, of: kind, view).markup)\(if: next, { next in
                    "<div class=\"actions\"><a class=\"button quiet\" href=\"\(link: next)\">Older</a></div>"
                })
                """)
    }
}

/// `/undo/{position}`: undoes a change; where something was changed since, it asks.
enum UndoPage: FormPage {
    static let path = "/undo/{position}"

    private static let choice = "choice."

    static func button(_ position: HistoryPosition, _ label: String = "Undo") -> HTML {
        """
        <form class="actions" method="post" action="\(link: Link("/undo/", "\(position)", ""))"><button \
        class="quiet">\(label)</button></form>
        """
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let position = try position(view.call)
        return WebPage(
            "Undo a change", .task, tab: .account,
            main: """
                <section class="head"><h1>\(state.made == nil ? "Undo this change?" : "Undo")</h1>\
                \(state.summary([:]))</section>\(state.made ?? button(position))
                """)
    }

    private static func position(_ call: Call) throws -> HistoryPosition {
        guard let position = HistoryPosition(try call.captures.text("position")) else { throw HTTPError.notFound() }
        return position
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let position = try position(call)
        var choices = CommitUndo.Choices()
        for (name, value) in sent.fields where name.hasPrefix(choice) {
            let name = ByteText(String(Substring(name.utf8.dropFirst(choice.utf8.count))))
            if value == "before" { choices.reversed.insert(name) } else { choices.kept.insert(name) }
        }
        guard let digest: UInt64 = Hex.integer("\(position.chain)".utf8) else { throw HTTPError.notFound() }
        let context = call.context(in: call.version, requiring: digest)
        let undo = try await call.service.undo(position.sequence, choices, for: context)
        if !undo.conflicts.isEmpty {
            throw FormRefusal(FormState(made: conflicts(undo.conflicts)), .conflict)
        }
        if !undo.left.isEmpty { throw FormRefusal(showing: left(undo)) }
        return .seeOther(address(after: undo, in: call.service.store.current.town, for: call))
    }

    /// The page of what came back, where it can be undone again.
    private static func address(after undo: CommitUndo, in town: Town, for call: Call) -> String {
        guard let first = undo.changed.first else { return AccountPage.path + "?done=nothing" }
        let link = ChangeRows.link(to: first, in: town)
        let isEditor = call.caller.isEditor(in: town)
        let isAccount = first.kind == .person && town.people.has(id: first.id) && town.passwords[first.id] == nil
        let done = isAccount ? "?done=account" : "?done=undone"
        return (link?.text ?? (isEditor ? ChangesPage.path : AccountPage.path)) + done
    }

    private static func conflicts(_ conflicts: [CommitUndo.Conflict]) -> HTML {
        """
        <form class="form" method="post" novalidate><p>Some of it was changed since. Nothing has been undone yet.</p>\
        \(each: conflicts, { conflict in
            """
            <fieldset class="merge"><legend><bdi>\(conflict.label)</bdi>\
            \(if: conflict.field, { ": \(ChangeRows.label($0.name))" })</legend>\
            \(option(conflict, "now", conflict.field.map { ChangeRows.text($0.now) } ?? "Keep it", isChosen: true))\
            \(option(
                conflict, "before", conflict.field.map { ChangeRows.text($0.before) } ?? "Delete it", isChosen: false))\
            </fieldset>
            """
        })<div class="actions"><button>Undo</button></div></form>
        """
    }

    private static func option(
        _ conflict: CommitUndo.Conflict, _ value: String, _ text: String, isChosen: Bool
    ) -> HTML {
        """
        <label class="option"><input type="radio" name="\(choice + conflict.name)" value="\(value)"\
        \(attribute: "checked", if: isChosen)><span>\(if: conflict.field != nil,
            "<span class=\"soft\">\(value == "now" ? "Now" : "Before")</span><br>")<span \
        dir="auto">\(text)</span></span></label>
        """
    }

    private static let mostLeft = 50

    private static func left(_ undo: CommitUndo) -> HTML {
        let done = "\(Count(undo.changed.count, "record")) undone"
        return """
            <section class="card" role="status" tabindex="-1" autofocus><h2>\(done)</h2>\
            <p>These stay as they are:</p><ul>\(each: undo.left.prefix(mostLeft), { left in
                "<li><bdi>\(left.label)</bdi>: \(reason(left.reason))</li>"
            })</ul>\(if: undo.left.count > mostLeft, "<p class=\"soft\">And \(undo.left.count - mostLeft) more.</p>")\
            <div class="actions"><a class="button" href="/account">Back to your page</a></div></section>
            """
    }

    private static func reason(_ reason: CommitUndo.Left.Reason) -> String {
        switch reason {
        case .changedSince: "changed since"
        case .deletedSince: "deleted since"
        case .refused(let error): HTTPError(error).message
        }
    }
}

/// `/admin/trash`: what was deleted, to be restored.
enum TrashPage {
    static let path = "/admin/trash"
    static let parameters = ["before", "done"]
    private static let size = 100

    static func page(_ view: View) async throws -> WebPage {
        let call = view.call
        let history = try await call.service.changes(
            before: call.count("before"), limit: size, deletes: true, for: call.context(hasKey: false))
        var seen: Set<ReferenceTarget> = []
        let deleted = history.commits.flatMap { commit in commit.items.map { (commit, $0) } }.filter { _, item in
            item.after == nil && view.town.record(of: item.kind, item.id) == nil && seen.insert(item.target).inserted
        }
        return WebPage(
            "Deleted", .form, tab: .account,
            main: """
                \(AdminParts.head("Deleted", in: #"<a href="/admin/changes">What changed</a>"#, view))\
                \(if: deleted.isEmpty, "<p class=\"soft\">Nothing was deleted, as far as the history reaches.</p>")\
                <div class="stack">\(each: deleted, { card($1, of: $0, view) })</div>\
                \(ChangesPage.older(history.next, "/admin/trash"))
                """)
    }

    private static func card(_ item: ChangeSet.Item, of commit: ChangeSet, _ view: View) -> HTML {
        let service = view.call.service
        let end = view.undoEnd(ofCommitAt: commit.at)
        let isMine = service.mayUndo(commit, for: view.call.caller, in: view.town)
        return """
            <article class="card" data-key="\(item.kind.name)\(item.id)"><h2 dir="auto">\
            \(item.before?.nameInTrash ?? "")</h2><p class="small soft">\(ChangeRows.kind(item.kind)), deleted \
            \(view.words.ago(commit.at))\(if: end, { ". It can be restored until about \($0)." })</p>\
            <div class="actions">\(if: isMine, UndoPage.button(commit.position, "Restore"))\
            \(if: view.call.isSuperAdmin, """
                <a class="button plain danger" \
                href="/admin/trash/\(path: item.kind.name)/\(path: "\(item.id)")">\
                Remove for good</a>
                """)</div></article>
            """
    }
}

/// `/admin/trash/{kind}/{id}`: takes a deleted record out of the trash and of what pages show of the history.
enum RemovalForGoodPage: FormPage {
    static let path = "/admin/trash/{kind}/{id}"
    static let access = Access.superAdmin

    private static let field = FormField(
        name: "name", label: "Type its name", hint: "As it stands in the list, so that nothing else is removed.")

    private static func kind(_ call: Call) throws -> RecordKind {
        let name = try call.captures.text("kind")
        guard let kind = Town.sharedKinds.first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw HTTPError.notFound()
        }
        return kind
    }

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let (kind, id) = (try kind(view.call), try view.call.id())
        guard view.town.record(of: kind, id) == nil else { throw ServiceError.notFound(.record(kind)) }
        let end = view.undoEnd(ofCommitAt: view.call.now)
        return WebPage(
            "Remove for good", .task, tab: .account,
            main: """
                \(AdminParts.head("Remove for good?", in: #"<a href="/admin/trash">Deleted</a>"#, view))\
                <p>It leaves this list and the history that pages show at once, and nobody can restore it. The log of \
                the server has it \(end.map { "until about \($0)" } ?? "as long as the history is kept"), and backups \
                that were made before have it until you delete them.</p><form class="form" method="post" \
                novalidate>\
                \(state.summary([field.name: field.label]))\(field.markup(state))<div class="actions"><button \
                class="quiet danger">Remove for good</button><a class="button quiet" \
                href="/admin/trash">Keep it</a></div>\
                </form>
                """)
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.service.removeForGood(
            kind(call), call.id(), named: sent["name"] ?? "", for: call.context(hasKey: false))
        return .seeOther(TrashPage.path + "?done=removed")
    }
}
