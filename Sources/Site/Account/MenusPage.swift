import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/account/businesses/{slug}/menus`: menus, an item a line.
enum MenusPage: FormPage {
    static let path = "/account/businesses/{slug}/menus"
    static let parameters = ["done"]

    private static let hint = "One item per line, such as “Chowder 14.50”, or “Chowder 14.50 - with bread”."

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let menus = business.value.menus
        let fields = menus.flatMap { Self.fields(of: $0) } + newFields
        return WebPage(
            "Menus of \(business.name)", .task, tab: .account, topics: ["business"],
            main: """
                \(OwnBusiness.head(business, "Menus", view))\
                <form class="form" method="post" data-draft="\(view.drafts)">\(state.summary(fields.labels))\
                \(each: menus, { menu($0, state) })<fieldset><legend>A new menu</legend>\
                \(each: newFields, { $0.markup(state) })</fieldset>\
                \(FormState.saving("Save menus"))</form>
                """)
    }

    private static func menu(_ menu: Menu, _ state: FormState) -> HTML {
        """
        <fieldset><legend dir="auto">\(menu.name)</legend>\(each: fields(of: menu), { $0.markup(state) })\
        <label class="option"><input type="checkbox" name="\(removal(of: menu))" value="yes"\
        \(attribute: "checked", if: state.isTicked(removal(of: menu), "yes"))><span>Remove this \
        menu</span></label></fieldset>
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

    private static func patch(
        of value: Business, _ changes: [String: String], _ sent: Submission, addsMenu: Bool
    ) throws -> Patch<Business> {
        var (patch, problems) = (Patch<Business>(), FieldProblems())
        patch.fields = ["menus"]
        patch.values.menus = value.menus.filter { !sent.isSet(removal(of: $0)) }.map { menu in
            var menu = menu
            let id = menu.id
            if let name = changes["name.\(id)"] {
                if name.isEmpty { problems.add("name.\(id)", "Enter a name for the menu, such as Lunch") }
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
            if menu.name.isEmpty { problems.add("name", "Enter a name for the menu, such as Lunch") }
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

/// The items of a menu as lines: `Chowder 14.50`, with what else is to say after a dash.
enum MenuLines {
    static func text(of items: [MenuItem]) -> String { items.map(line).joined(separator: "\n") }

    private static func line(_ item: MenuItem) -> String {
        let price = item.price.map { " \($0.text)" } ?? ""
        return (item.name + price + (item.description.shown.map { " - \($0)" } ?? "")).split(
            whereSeparator: \.isNewline
        ).joined(separator: " ").typed
    }

    /// The items of some lines. An item whose line is unchanged stays as it is; one that was changed in its place keeps
    /// its ID.
    static func items(_ text: String, of existing: [MenuItem], _ field: String, _ problems: inout FieldProblems)
        -> [MenuItem]
    {
        var unchanged: [ByteText: [MenuItem]] = [:]
        for item in existing.reversed() { unchanged[ByteText(line(item)), default: []].append(item) }
        let lines = text.split(at: "\n").map(\.typed).filter { !$0.isEmpty }
        var found: [MenuItem?] = lines.map { unchanged[ByteText($0)]?.popLast() }
        let left = Set(unchanged.values.joined().map(\.id))
        let isSameCount = lines.count == existing.count
        for (index, line) in lines.enumerated() where found[index] == nil {
            guard var item = item(line) else {
                problems.add(
                    field, "Line \(index + 1), “\(line.excerpt())”, needs a price at its end, such as “Chowder 14.50”")
                continue
            }
            if isSameCount, left.contains(existing[index].id) { item.id = existing[index].id }
            found[index] = item
        }
        return found.compactMap(\.self)
    }

    private static func item(_ line: String) -> MenuItem? {
        var item = MenuItem()
        let words = line.split(at: " ")
        // The first price after the name.
        for index in words.indices.dropFirst() {
            guard let price = price(words[index]) else { continue }
            var rest = words[(index + 1)...]
            if let dash = rest.first, ["-", "–", "—"].contains(where: { $0 == dash }) {
                rest = rest.dropFirst()
            } else if !rest.isEmpty {
                continue
            }
            item.name = words[..<index].joined(separator: " ")
            item.price = price
            item.description = rest.isEmpty ? nil : rest.joined(separator: " ")
            return item
        }
        return nil
    }

    /// A price as people write it: `14.50`, `$14.5`, `14`, `14,50`.
    static func price(_ text: String) -> Price? {
        guard text.utf8.count <= 40 else { return nil }
        let digits = String(text.drop { $0 == "$" }.map { $0 == "," ? "." : $0 })
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }),
            parts.count == 1 || parts[1].count <= 2
        else { return nil }
        let cents = parts.count == 1 ? "00" : parts[1] + (parts[1].count == 1 ? "0" : "")
        return Price("\(parts[0]).\(cents)")
    }
}
