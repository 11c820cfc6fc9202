import Foundation
import Observation
import SookeClient
import ViewTree

/// The businesses of the town, with a search as one types, and the selected one below or beside them.
struct BusinessListView: View {
    @Environment(Browser.self) private var browser
    let state: BusinessListState
    @State private var isSearching = false
    @State private var isChoosing = false
    @State private var opened: OpenedRecord?

    var body: some View {
        let items = state.items(browser)
        let selected = items.first { $0.id == state.selection } ?? items.first
        VStack {
            SearchLine(
                text: Bindable(wrappedValue: state.model).searchText, isSearching: $isSearching, found: count(items))
            if let error = state.model.error { Text(browser.describe(error)).foregroundStyle(.warning) }
            if items.isEmpty {
                EmptyText(isSearch: state.isNarrowed)
                Spacer()
            } else {
                ListWithDetail {
                    List(items, selection: selection(selected)) {
                        BusinessRow(business: $0)
                    }
                } preview: {
                    if let selected { BusinessPreview(slug: selected.slug) }
                } detail: {
                    if let id = opened?.id ?? selected?.id {
                        BusinessDetail(business: id, isActive: opened != nil).id(id)
                    }
                }
            }
            Divider()
            if browser.size.isWide, let id = opened?.id {
                BusinessDetailKeys(business: id) { opened = nil }
            } else {
                keys(selected)
            }
        }
        .navigationTitle(state.model.selectedCategory?.name ?? "Businesses")
        .task(id: ObjectIdentifier(browser.town)) { state.model.town = browser.town }
        .task(id: state.question(isLive: browser.isLive)) {
            // The former answer is for another question.
            let question = state.question(isLive: browser.isLive)
            if let answer = await ServerSearch.ask(question, browser.currentClient) { state.found = answer }
        }
        .sheet(item: $opened.unless(browser.size.isWide)) { BusinessDetailView(business: $0.id) }
        .sheet(isPresented: $isChoosing) {
            ChoiceView(
                title: "Categories", all: "all categories", choices: browser.town.replica.categories,
                selected: state.model.selectedCategory?.id, name: \.name, choose: state.select)
        }
    }

    private func keys(_ selected: Business?) -> some View {
        KeyLine(isSearching: isSearching) {
            Button("open", key: .enter) { opened = selected.map { OpenedRecord(id: $0.id) } }
            Button("search", key: .character("/")) { isSearching = true }
        } more: {
            Button("category", key: .character("c")) { isChoosing = true }
            Button(state.isOpenOnly ? "open or not" : "open now", key: .character("o")) {
                (state.isOpenOnly, state.selection) = (!state.isOpenOnly, nil)
            }
            Button("events", key: .character("e")) { browser.section = .events }
        }
    }

    /// The first row, while the selected one is not in the list.
    private func selection(_ selected: Business?) -> Binding<Business.ID?> {
        Binding {
            selected?.id
        } set: {
            state.selection = $0
        }
    }

    private func count(_ items: [Business]) -> String {
        if state.isOpenOnly { return "\(items.count) open now" }
        if state.isNarrowed { return "\(items.count) found" }
        return items.count == 1 ? "1 business" : "\(items.count) businesses"
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
            if browser.size.isNarrow {
                Text("\(state.symbol) \(state.short)").foregroundStyle(state.role)
            } else {
                // The detail beside the list names it.
                if !browser.size.isWide {
                    Text(business.categoryName).foregroundStyle(.secondary).frame(width: 22)
                }
                Text("\(state.symbol) \(state.text)").foregroundStyle(state.role).frame(width: 22)
            }
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

/// What the list of businesses shows, kept while the other list is shown.
@MainActor @Observable final class BusinessListState {
    let model = BusinessListViewModel()
    var selection: Business.ID?
    var isOpenOnly = false
    /// The newest answer of the server, which may be for another question.
    var found: ServerSearch?

    func question(isLive: Bool) -> ServerSearch.Question {
        ServerSearch.Question(
            path: APIPath.businesses, text: model.searchText,
            filter: model.selectedCategory.map { URLQueryItem(name: "category", value: $0.slug) }, isLive: isLive)
    }

    func items(_ browser: Browser) -> [Business] {
        let matches = matches(browser)
        return isOpenOnly ? matches.filter { browser.isOpen($0.slug) } : matches
    }

    private func matches(_ browser: Browser) -> [Business] {
        guard !model.searchText.isEmpty else { return model.items }
        let town = browser.town
        let local = town.replica.businesses(
            about: model.searchText, category: model.selectedCategory?.slug, at: town.moment)
        guard let found, found.question == question(isLive: browser.isLive) else { return local }
        return found.merged(with: local) { town.replica.listedBusiness(id: $0, at: town.moment) }
    }

    /// Whether not all businesses are wanted.
    var isNarrowed: Bool { !model.searchText.isEmpty || model.selectedCategory != nil || isOpenOnly }

    func select(_ category: SookeClient.Category?) {
        (model.searchText, selection) = ("", nil)
        model.selectCategory(category)
    }
}
