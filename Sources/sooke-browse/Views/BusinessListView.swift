import SookeClient
import ViewTree

/// The businesses of the town, with a search as one types, and the selected one below them.
struct BusinessListView: View {
    @Environment(Browser.self) private var browser
    @State private var model = BusinessListViewModel()
    @State private var selection: Business.ID?
    @State private var isSearching = false
    @State private var isChoosing = false
    @State private var isOpenOnly = false
    @State private var found: ServerSearch?
    @State private var opened: OpenedRecord?

    var body: some View {
        VStack {
            SearchLine(text: Bindable(wrappedValue: model).searchText, isSearching: $isSearching, found: count)
            if let error = model.error { Text(browser.describe(error)).foregroundStyle(.warning) }
            if items.isEmpty { EmptyText(isSearch: isNarrowed) }
            List(items, selection: $selection.or(items.first?.id)) { BusinessRow(business: $0) }
            Spacer()
            if let selected { BusinessPreview(slug: selected.slug) }
            Divider()
            KeyLine(isSearching: isSearching) {
                Button("open", key: .enter) { opened = selected.map { OpenedRecord(slug: $0.slug) } }
                Button("search", key: .character("/")) { isSearching = true }
                Button(model.selectedCategory?.name ?? "category", key: .character("c")) { isChoosing = true }
                Button(isOpenOnly ? "open or not" : "open now", key: .character("o")) {
                    (isOpenOnly, selection) = (!isOpenOnly, nil)
                }
                Button("events", key: .character("e")) { browser.section = .events }
            }
        }
        .navigationTitle(model.selectedCategory?.name ?? "Businesses")
        .task(id: ObjectIdentifier(browser.town)) { model.town = browser.town }
        .task(id: question) {
            // The former answer is for another question.
            if let answer = await ServerSearch.ask(question, browser.currentClient) { found = answer }
        }
        .sheet(item: $opened) { BusinessDetailView(slug: $0.slug) }
        .sheet(isPresented: $isChoosing) {
            ChoiceView(
                title: "Categories", all: "all categories", choices: browser.town.replica.categories,
                selected: model.selectedCategory?.id, name: \.name
            ) { category in
                (model.searchText, selection) = ("", nil)
                model.selectCategory(category)
            }
        }
    }

    private var question: ServerSearch.Question {
        let isLive = if case .live = browser.town.state { true } else { false }
        return ServerSearch.Question(
            text: model.searchText, category: model.selectedCategory?.slug, isLive: isLive)
    }

    /// The businesses that are shown: what the server has found, then what only the names of the replica give.
    private var items: [Business] {
        isOpenOnly ? matches.filter { browser.isOpen($0.slug) } : matches
    }

    private var matches: [Business] {
        guard let found, found.question == question else { return model.items }
        let town = browser.town
        let first = found.businesses.compactMap { town.replica.listedBusiness(id: $0, at: town.moment) }
        return first + model.items.filter { !found.businesses.contains($0.id) }
    }

    private var selected: Business? { items.first { $0.id == selection } ?? items.first }

    private var isNarrowed: Bool { !model.searchText.isEmpty || model.selectedCategory != nil || isOpenOnly }

    private var count: String {
        if isOpenOnly { return "\(items.count) open now" }
        if found?.question == question { return "\(items.count) found" }
        let count = browser.town.replica.businesses(
            matching: model.searchText, category: model.selectedCategory?.slug
        ).count
        return isNarrowed ? "\(count) found" : "\(count) \(count == 1 ? "business" : "businesses")"
    }
}

/// A business in a list: its name, its category, and whether it is open.
private struct BusinessRow: View {
    @Environment(Browser.self) private var browser
    let business: Business

    var body: some View {
        let state = browser.openState(of: business.slug)
        HStack {
            Text(business.name)
            Spacer()
            Text(business.categoryName).foregroundStyle(.secondary).frame(width: 22)
            Text("\(state.symbol) \(state.text)").foregroundStyle(state.role).frame(width: 22)
        }
    }
}

/// The selected business, in a few lines.
private struct BusinessPreview: View {
    @Environment(Browser.self) private var browser
    let slug: String

    var body: some View {
        if let business = browser.town.replica.business(slug: slug) {
            let contacts = [business.address, business.phone, business.website].compactMap(\.self)
            Divider()
            Text(business.name).bold()
            HStack { Text(contacts.filter { !$0.isEmpty }.joined(separator: " · ")).foregroundStyle(.secondary) }
            HStack { Text(business.todayHoursString(for: browser.town.moment)) }
        }
    }
}
