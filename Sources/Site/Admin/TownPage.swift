import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/town`: what the town says of itself, and what its clocks and pages follow.
enum TownPage: FormPage {
    static let path = "/admin/town"
    static let access = AdminParts.everything
    static let parameters = ["done"]

    /// The box by which somebody agrees that another time zone moves times.
    private static let moves = "moves"
    /// How many of the events that move are named.
    private static let mostNamed = 10

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let settings = view.town.settings
        let fields = TownFields.all(for: settings)
        var labels = fields.map(\.field).labels
        labels[moves] = "Another time zone"
        var page = WebPage(
            "The town", tab: .account,
            main: """
                \(AdminParts.head("The town", view))<form class="form" method="post" data-draft="\(view.drafts)">\
                \(state.summary(labels))\(each: fields, { field in
                    """
                    \(field.markup(state, of: settings))\(if: field.field.name == "time_zone", consent(state, view))
                    """
                })\(FormState.saving("Save"))</form>
                """)
        (page.hasForm, page.isTask) = (true, true)
        page.topics = ["settings"]
        return page
    }

    /// What moves with another time zone, and the box that allows it.
    private static func consent(_ state: FormState, _ view: View) -> HTML {
        if state.problem(of: moves) == nil { return "" }
        let followers = TownClockFollowers(in: view.town)
        let names = followers.series.prefix(mostNamed).map(\.value.name)
        let rest = followers.series.count - names.count
        return """
            <fieldset class="merge" id="moves"><legend>Another time zone moves times</legend>\
            <p>The hours of \(Count(followers.businesses, "place").description) and \
            \(Count(followers.series.count, "repeated event").description) stay at the same times on the clocks, and so move with \
            them. Other events stay when they are.</p>\(if: !names.isEmpty, list(names, rest))\
            <label class="option"><input type="checkbox" name="moves" value="\(state.text("time_zone"))">\
            <span>Yes, move them</span></label></fieldset>
            """
    }

    private static func list(_ names: [String], _ rest: Int) -> HTML {
        """
        <ul class="small">\(each: names, { "<li dir=\"auto\">\($0)</li>" })\(if: rest > 0, "<li>and \(rest) more</li>")</ul>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        try await call.merge(
            TownFields.normalized(sent), into: { ($0.town.settings, $0.town.settings.digest) },
            { TownFields.all(for: $0).texts(of: $0) }
        ) { settings, changes, context in
            if let zone = changes["time_zone"] { try requireConsent(to: zone, call, sent) }
            return call.service.updateSettings(
                PatchInput(try TownFields.all(for: settings).patch(changes)), for: context)
        }
        return .seeOther(path + "?done=saved")
    }

    /// - Throws: `FormRefusal` when another zone moves something, and nobody has agreed yet.
    private static func requireConsent(to zone: String, _ call: Call, _ sent: Submission) throws {
        let town = call.service.store.current.town
        let isKnown = zone.isEmpty || (try? call.service.zones.zone(named: zone)) != nil
        guard isKnown, town.settings.timeZone != nil, sent[moves] != zone else { return }
        let followers = TownClockFollowers(in: town)
        guard followers.businesses + followers.series.count > 0 else { return }
        throw FormRefusal(moves, "moves opening hours and repeated events; say below that it may")
    }
}
