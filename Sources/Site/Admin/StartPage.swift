import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/start`: what a new town needs before its first place: one form.
enum StartPage: FormPage {
    static let path = "/admin/start"
    static let access = AdminParts.everything

    private static let terms = "terms"

    private static func fields(_ settings: Settings, _ zone: String) -> [RecordField<Settings>] {
        let others = [TownFields.name, TownFields.timeZone, TownFields.holidays(for: settings), TownFields.center]
        return others.map { field in
            // What the clocks follow already.
            field.field.name == "time_zone" ? field.proposing(zone) : field
        }
    }

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let settings = view.town.settings
        let fields = fields(settings, view.words.zone.name)
        let hasTerms = view.town.count(of: .category) > 0
        var page = WebPage(
            "Your town", tab: .account,
            main: """
                <section class="head"><h1>Your town</h1><p>You are in. Say where this is, then add the first place. \
                You can change all of it later.</p></section>\
                <form class="form" method="post">\(state.summary(fields.map(\.field).labels))\
                \(each: fields, { $0.markup(state, of: settings) })\
                \(if: !hasTerms, box(state))<div class="actions"><button>Go on</button></div></form>
                """)
        (page.hasForm, page.isTask) = (true, true)
        return page
    }

    private static func box(_ state: FormState) -> HTML {
        """
        <label class="option"><input type="checkbox" name="terms" value="true"\
        \(attribute: "checked", if: state.isTicked(terms, orElse: true))><span>Add the usual categories<br>\
        <span class="soft small">\(AdminParts.starter)</span>\
        </span></label>
        """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let zone = call.townZone.name
        try await call.merge(
            TownFields.normalized(sent), into: { ($0.town.settings, $0.town.settings.digest) },
            { fields($0, zone).texts(of: $0) }
        ) { settings, changes, context in
            call.service.updateSettings(PatchInput(try fields(settings, zone).patch(changes)), for: context)
        }
        if sent.isSet(terms), call.town.count(of: .category) == 0 {
            let context = try call.context(hasKey: false)
            try await call.service.run(call.service.addStarterTerms(for: context), for: context)
        }
        return .seeOther(NewBusinessPage.path)
    }
}

extension RecordField {
    /// The same with a text for a new form where the record has none.
    fileprivate func proposing(_ text: String) -> RecordField {
        var field = field
        field.proposal = text
        return RecordField(field, text: self.text, set: set)
    }
}
