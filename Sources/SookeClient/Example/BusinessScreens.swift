import SookeClient
import SwiftUI

/// The businesses, searched as one types, and narrowed by a category.
struct BusinessListScreen: View {
    @Environment(LiveTown.self) private var town
    @State private var model = BusinessListViewModel()

    var body: some View {
        List(model.items) { business in
            NavigationLink(value: business) {
                VStack(alignment: .leading) {
                    Text(business.name)
                    Text(business.categoryName).font(.caption).foregroundStyle(.secondary)
                }
            }
        }
        .navigationTitle("Businesses")
        .searchable(text: $model.searchText)
        .overlay {
            if model.isLoading {
                ProgressView()
            } else if model.items.isEmpty {
                ContentUnavailableView.search(text: model.searchText)
            }
        }
        .safeAreaInset(edge: .bottom) {
            if case .offline = town.state, let text = town.updatedText() { Text("offline, \(text)").font(.caption) }
        }
        .toolbar {
            SwiftUI.Menu("Category") {
                Button("All") { model.selectCategory(nil) }
                ForEach(model.categories) { category in
                    Button(category.name) { model.selectCategory(category) }
                }
            }
        }
        .onAppear { model.town = town }
        .onDisappear { model.leave() }
    }
}

/// One business. It changes while one looks at it.
struct BusinessScreen: View {
    let slug: String

    @Environment(LiveTown.self) private var town
    @Environment(SessionViewModel.self) private var session
    @State private var model = BusinessDetailViewModel()
    @State private var isEditing = false

    var body: some View {
        Form {
            if let business = model.businessDetails {
                if let description = business.description { Text(description) }
                LabeledContent(business.isMobile ? "Area" : "Address", value: business.addressOrArea)
                if let phone = business.phone { LabeledContent("Phone", value: phone) }
                ForEach(business.menus, id: \.name) { menu in
                    Section(menu.name) {
                        ForEach(menu.items, id: \.name) { LabeledContent($0.name, value: $0.price) }
                    }
                }
            } else if model.isLoading {
                ProgressView()
            } else {
                ContentUnavailableView("It is not there any more", systemImage: "questionmark")
            }
        }
        .navigationTitle(model.businessDetails?.name ?? "")
        .toolbar { if session.isLoggedIn { Button("Edit") { isEditing = true } } }
        .sheet(isPresented: $isEditing) {
            NavigationStack { BusinessEditor(slug: model.businessDetails?.slug ?? slug) }
        }
        .task {
            model.town = town
            await model.fetchBusinessDetails(slug: slug)
        }
    }
}
