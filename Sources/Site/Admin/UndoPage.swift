import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

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
        let context = call.context(in: call.version, requiring: position.chain.bits)
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
