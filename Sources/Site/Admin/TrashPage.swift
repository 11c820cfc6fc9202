import Dispatcher
import HTTP
import Service
import SookeModel
import Store

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
                \(ChangesPage.older(history.next.map { Link("/admin/trash", [("before", "\($0)")]) }))
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
