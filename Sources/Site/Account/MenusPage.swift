import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum MenusPage: FormPage {
    static let path = "/account/businesses/{slug}/menus"
    static let parameters = ["done"]

    private static let hint =
        "One item per line, such as “Chowder 14.50”, or “Chowder 14.50 - with bread”. You can leave out the price."

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let menus = business.value.menus
        let lines = MenuLines(view.town)
        let fields = menus.flatMap { Self.fields(of: $0, lines) } + newFields
        return WebPage(
            "Menus of \(business.name)", .task, tab: .account, topics: ["business"],
            main: """
                \(OwnBusiness.head(business, "Menus", view))\
                <form class="form" method="post" data-draft="\(view.drafts)">\(state.summary(fields.labels))\
                \(each: menus, { menu($0, state, lines) })<fieldset><legend>A new menu</legend>\
                \(each: newFields, { $0.markup(state) })</fieldset>\
                \(FormState.saving("Save menus"))</form>
                """)
    }

    private static func menu(_ menu: Menu, _ state: FormState, _ lines: MenuLines) -> HTML {
        """
        <fieldset><legend dir="auto">\(menu.name)</legend>\(each: fields(of: menu, lines), { $0.markup(state) })\
        <label class="option"><input type="checkbox" name="\(removal(of: menu))" value="yes"\
        \(attribute: "checked", if: state.isTicked(removal(of: menu), "yes"))><span>Remove this \
        menu</span></label></fieldset>
        """
    }

    private static func removal(of menu: Menu) -> String { "remove.\(menu.id)" }

    private static func fields(of menu: Menu, _ lines: MenuLines) -> [FormField] {
        [
            FormField(name: "name.\(menu.id)", label: "Name", shown: menu.name, isMerged: true),
            FormField(
                name: "about.\(menu.id)", label: "When or how it is served", shown: menu.description ?? "",
                isMerged: true),
            FormField(
                name: "items.\(menu.id)", label: "Items", hint: hint, shown: lines.text(of: menu.items),
                control: .lines(max(4, min(menu.items.count + 2, 24))), isMerged: true),
        ]
    }

    private static let newFields = [
        FormField(name: "name", label: "Name", hint: "Such as Lunch."),
        FormField(name: "about", label: "When or how it is served"),
        FormField(name: "items", label: "Items", hint: hint, control: .lines(6)),
    ]

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let lines = MenuLines(call.service.store.current.town)
        let isNew = newFields.contains { !(sent[$0.name] ?? "").isEmpty }
        let removes = sent.fields.contains { $0.name.hasPrefix("remove.") }
        try await OwnBusiness.save(
            call, sent, hasMore: isNew || removes,
            { $0.value.menus.flatMap { fields(of: $0, lines) }.map { ($0.name, $0.shown) } }
        ) { business, changes in
            try patch(of: business.value, changes, sent, lines, addsMenu: isNew)
        }
        return .seeOther(try OwnBusiness.path(call, "/menus?done=saved"))
    }

    private static func patch(
        of value: Business, _ changes: [String: String], _ sent: Submission, _ lines: MenuLines, addsMenu: Bool
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
            if let items = changes["items.\(id)"] {
                menu.items = lines.items(items, of: menu.items, "items.\(id)", &problems)
            }
            return menu
        }
        if addsMenu {
            var menu = Menu()
            (menu.name, menu.description) = (sent["name"] ?? "", sent["about"].shown)
            if menu.name.isEmpty { problems.add("name", "Enter a name for the menu, such as Lunch") }
            menu.items = lines.items(sent["items"] ?? "", of: [], "items", &problems)
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

/// The items of a menu as lines: `Chowder $14.50`, with what else is to say after a dash, and any price left out.
struct MenuLines {
    let currency: String?

    init(currency: String?) { self.currency = currency }

    init(_ town: Town) { self.init(currency: town.settings.currency) }

    func text(of items: [MenuItem]) -> String { items.map(line).joined(separator: "\n") }

    private func line(_ item: MenuItem) -> String {
        let parts = [item.name, item.price.text(in: currency), item.description.shown.map { "- \($0)" } ?? ""]
        return parts.joined(separator: " ").split(whereSeparator: \.isNewline).joined(separator: " ")
            .split(at: " ").joined(separator: " ").typed
    }

    /// The items of some lines. An item whose line is unchanged stays as it is; one that was changed in its place keeps
    /// its ID.
    func items(_ text: String, of existing: [MenuItem], _ field: String, _ problems: inout FieldProblems) -> [MenuItem]
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
                    field, "Line \(index + 1), “\(line.excerpt())”, needs its price last: “Chowder 14.50”, or none")
                continue
            }
            if isSameCount, left.contains(existing[index].id) { item.id = existing[index].id }
            found[index] = item
        }
        return found.compactMap(\.self)
    }

    private func item(_ line: String) -> MenuItem? {
        var item = MenuItem()
        let words = line.split(at: " ")
        let isDash = { (word: String) in ["-", "–", "—"].contains { $0 == word } }
        // The first price after the name; its sign may be a word of its own.
        for index in words.indices.dropFirst() {
            for end in [index + 2, index + 1] where end <= words.count {
                let (text, rest) = (words[index..<end].joined(separator: " "), words[end...])
                guard let price = Price(written: text, in: currency), rest.first.map(isDash) ?? true else { continue }
                item.name = words[..<index].joined(separator: " ")
                item.price = price
                item.description = rest.isEmpty ? nil : rest.dropFirst().joined(separator: " ").shown
                return item
            }
        }
        if words.contains(where: looksLikePrice) { return nil }
        let dash = words.dropFirst().firstIndex(where: isDash) ?? words.endIndex
        item.name = words[..<dash].joined(separator: " ")
        item.description = words[dash...].dropFirst().joined(separator: " ").shown
        return item
    }

    /// Figures with a sign or decimals, such as `14.505`.
    private func looksLikePrice(_ word: String) -> Bool {
        let scalars = word.unicodeScalars
        let isAmount = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .currencySymbol }
        return scalars.contains { "0"..."9" ~= $0 } && scalars.contains { $0 == "." || $0 == "," || isAmount($0) }
            && !scalars.contains(where: \.properties.isAlphabetic)
    }
}
