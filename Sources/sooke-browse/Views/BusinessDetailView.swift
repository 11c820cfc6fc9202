import SookeClient
import ViewTree

struct BusinessDetailView: View {
    @Environment(\.dismiss) private var dismiss
    let business: Int64

    var body: some View {
        VStack {
            BusinessDetail(business: business, isActive: true)
            Spacer()
            Divider()
            BusinessDetailKeys(business: business) { dismiss() }
        }
    }
}

/// A business with its hours and menus. It is followed by its ID, also when its name and its slug change.
struct BusinessDetail: View {
    @Environment(Browser.self) private var browser
    let business: Int64
    /// Whether it takes the keys.
    let isActive: Bool

    var body: some View {
        if let business = browser.town.replica.business(id: business) {
            let state = OpenState(business.hoursStatus(for: browser.town.moment))
            HStack {
                Text(business.name).bold()
                Spacer()
                Text("\(state.symbol) \(state.text)").foregroundStyle(state.role)
            }
            Divider()
            DetailLines(texts: business.texts, isActive: isActive)
        } else if browser.town.replica.position == nil {
            EmptyText(isSearch: false)
        } else {
            Text("This business is no longer in the directory.").foregroundStyle(.warning)
        }
    }
}

struct BusinessDetailKeys: View {
    @Environment(Browser.self) private var browser
    @State private var edited: EditedBusiness?
    let business: Int64
    let back: () -> Void

    private struct EditedBusiness: Identifiable {
        let slug: String
        var id: String { slug }
    }

    var body: some View {
        let slug = browser.town.replica.business(id: business)?.slug
        HStack {
            Text("↑↓ move")
            if browser.session.isLoggedIn, let slug {
                Button("edit", key: .character("E")) { edited = EditedBusiness(slug: slug) }
            }
            Button("back", key: .escape, action: back)
        }
        .sheet(item: $edited) { EditView(slug: $0.slug) }
    }
}

extension BusinessDetails {
    /// What a detail shows, line by line.
    fileprivate var texts: [(text: String, role: TextStyle.Role)] {
        let about = [self.categoryName, self.address, self.phone, self.email, self.website]
        var texts: [(text: String, role: TextStyle.Role)] = about.compactMap(\.self).filter { !$0.isEmpty }.map {
            ($0, .secondary)
        }
        if let description = self.description, !description.isEmpty {
            texts += [("", .primary), (description, .primary)]
        }
        texts += [("", .primary), ("Hours", .accent)] + textsOfHours
        for menu in menus {
            texts += [("", .primary), (menu.name, .accent)]
            for item in menu.items {
                texts.append(("\(item.name)  \(item.price)", .primary))
                if let description = item.description, !description.isEmpty { texts.append((description, .secondary)) }
            }
        }
        return texts
    }

    private var textsOfHours: [(text: String, role: TextStyle.Role)] {
        ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].enumerated().map { day, name in
            let spans = hours.filter { $0.dayOfWeek == day }.map(\.spoken)
            return ("\(name)  \(spans.isEmpty ? "unknown" : spans.joined(separator: ", "))", .primary)
        }
    }
}
