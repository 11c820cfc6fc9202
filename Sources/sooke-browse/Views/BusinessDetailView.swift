import SookeClient
import ViewTree

/// A business with its hours and menus.
struct BusinessDetailView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var model = BusinessDetailViewModel()
    @State private var line: Int?
    @State private var edited: OpenedRecord?
    let slug: String

    var body: some View {
        VStack {
            if let business = model.businessDetails {
                let state = OpenState(business.hoursStatus(for: browser.town.moment))
                HStack {
                    Text(business.name).bold()
                    Spacer()
                    Text("\(state.symbol) \(state.text)").foregroundStyle(state.role)
                }
                Divider()
                List(DetailLine.lines(of: business), selection: $line.or(0)) { Text($0.text).foregroundStyle($0.role) }
            } else {
                Text("This business is no longer in the directory.").foregroundStyle(.warning)
            }
            Spacer()
            Divider()
            HStack {
                Text("↑↓ move")
                if browser.session.isLoggedIn, model.businessDetails != nil {
                    Button("edit", key: .character("E")) { edited = OpenedRecord(slug: slug) }
                }
                Button("back", key: .escape) { dismiss() }
            }
        }
        .task(id: ObjectIdentifier(browser.town)) {
            model.town = browser.town
            await model.fetchBusinessDetails(slug: slug)
        }
        .sheet(item: $edited) { EditView(slug: $0.slug) }
    }
}

/// A line of a business, which can be moved to.
private struct DetailLine: Identifiable {
    let id: Int
    let text: String
    var role = TextStyle.Role.primary

    static func lines(of business: BusinessDetails) -> [DetailLine] {
        var texts: [(String, TextStyle.Role)] = []
        let about = [business.categoryName, business.address, business.phone, business.email, business.website]
        texts += about.compactMap(\.self).filter { !$0.isEmpty }.map { ($0, .secondary) }
        if let description = business.description, !description.isEmpty {
            texts += [("", .primary), (description, .primary)]
        }
        texts += [("", .primary), ("Hours", .accent)] + hours(of: business)
        for menu in business.menus {
            texts += [("", .primary), (menu.name, .accent)]
            for item in menu.items {
                texts.append(("\(item.name)  \(item.price)", .primary))
                if let description = item.description, !description.isEmpty { texts.append((description, .secondary)) }
            }
        }
        return texts.enumerated().map { DetailLine(id: $0.offset, text: $0.element.0, role: $0.element.1) }
    }

    private static func hours(of business: BusinessDetails) -> [(String, TextStyle.Role)] {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        return days.indices.map { day in
            let rows = business.hours.filter { $0.dayOfWeek == day }
            let spans = rows.map { $0.spoken }
            return ("\(days[day])  \(spans.isEmpty ? "unknown" : spans.joined(separator: ", "))", .primary)
        }
    }
}
