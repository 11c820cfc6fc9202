import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/businesses/{slug}/menus`: menus, an item a line.
enum MenusPage: FormPage {
    static let path = "/account/businesses/{slug}/menus"
    static let access = Access.member
    static let parameters = ["done"]

    private static let hint = "An item a line, such as “Chowder 14.50”, or “Chowder 14.50 - with bread”."

    static func page(_ view: View, _ state: FormState) throws(HTTPError) -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let menus = business.value.menus
        let fields = menus.flatMap { Self.fields(of: $0) } + newFields
        var page = WebPage(
            "Menus of \(business.name)", tab: .account,
            main: """
                \(OwnBusiness.head(business, "Menus", view))\
                <form class="form" method="post" data-draft="\(view.drafts)">\(state.summary(fields.labels))\
                \(each: menus, { menu($0, state) })<fieldset><legend>A new menu</legend>\
                \(each: newFields, { $0.markup(state) })</fieldset>\
                \(FormState.saving("Save menus"))</form>
                """)
        page.hasForm = true
        page.isTask = true
        page.topics = ["business"]
        return page
    }

    private static func menu(_ menu: Menu, _ state: FormState) -> HTML {
        """
        <fieldset><legend dir="auto">\(menu.name)</legend>\(each: fields(of: menu), { $0.markup(state) })\
        <label class="option"><input type="checkbox" name="\(removal(of: menu))" value="yes"\
        \(attribute: "checked", if: state.isTicked(removal(of: menu), "yes"))><span>Remove this menu</span></label></fieldset>
        """
    }

    private static func removal(of menu: Menu) -> String { "remove.\(menu.id)" }

    private static func fields(of menu: Menu) -> [FormField] {
        [
            FormField(name: "name.\(menu.id)", label: "Name", shown: menu.name, isMerged: true),
            FormField(
                name: "about.\(menu.id)", label: "When or how it is served", shown: menu.description ?? "",
                isMerged: true),
            FormField(
                name: "items.\(menu.id)", label: "Items", hint: hint, shown: MenuLines.text(of: menu.items),
                control: .lines(max(4, min(menu.items.count + 2, 24))), isMerged: true),
        ]
    }

    private static let newFields = [
        FormField(name: "name", label: "Name", hint: "Such as Lunch."),
        FormField(name: "about", label: "When or how it is served"),
        FormField(name: "items", label: "Items", hint: hint, control: .lines(6)),
    ]

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let isNew = newFields.contains { !(sent[$0.name] ?? "").isEmpty }
        let removes = sent.fields.contains { $0.name.hasPrefix("remove.") }
        try await OwnBusiness.save(
            call, sent, hasMore: isNew || removes,
            { $0.value.menus.flatMap { fields(of: $0) }.map { ($0.name, $0.shown) } }
        ) { business, changes in
            try patch(of: business.value, changes, sent, addsMenu: isNew)
        }
        return .seeOther(try OwnBusiness.path(call, "/menus?done=saved"))
    }

    /// - Throws: `FormRefusal`.
    private static func patch(
        of value: Business, _ changes: [String: String], _ sent: Submission, addsMenu: Bool
    ) throws -> Patch<Business> {
        var (patch, problems) = (Patch<Business>(), FieldProblems())
        patch.fields = ["menus"]
        patch.values.menus = value.menus.filter { !sent.isSet(removal(of: $0)) }.map { menu in
            var menu = menu
            let id = menu.id
            if let name = changes["name.\(id)"] {
                if name.isEmpty { problems.add("name.\(id)", "must not be empty") }
                menu.name = name
            }
            if let about = changes["about.\(id)"] { menu.description = about.shown }
            if let lines = changes["items.\(id)"] {
                menu.items = MenuLines.items(lines, of: menu.items, "items.\(id)", &problems)
            }
            return menu
        }
        if addsMenu {
            var menu = Menu()
            (menu.name, menu.description) = (sent["name"] ?? "", sent["about"].shown)
            if menu.name.isEmpty { problems.add("name", "is missing: what is it called?") }
            menu.items = MenuLines.items(sent["items"] ?? "", of: [], "items", &problems)
            // Sent twice, it is the same menu.
            let names = menu.items.map { ByteText($0.name) }
            if !value.menus.contains(where: { $0.name == menu.name && $0.items.map { ByteText($0.name) } == names }) {
                patch.values.menus.append(menu)
            }
        }
        if !problems.isEmpty { throw FormRefusal(problems) }
        return patch
    }
}
