import SookeClient
import SwiftUI

@main
struct TownApp: App {
    static let server = "https://town.example"

    @State private var session = SessionViewModel()

    var body: some Scene {
        WindowGroup {
            TownScreens(client: session.client ?? APIClient(baseURL: Self.server))
                // The rights of an account decide what there is to see.
                .id(session.token)
                .environment(session)
                .onAppear { if session.apiClient == nil { session.apiClient = APIClient(baseURL: Self.server) } }
        }
    }
}

/// All screens of one account, over one live town.
struct TownScreens: View {
    @Environment(SessionViewModel.self) private var session
    @State private var town: LiveTown

    init(client: APIClient) {
        let folder = URL.cachesDirectory
        _town = State(initialValue: LiveTown(client: client, file: folder.appending(path: "town.json")))
    }

    var body: some View {
        TabView {
            tab("Businesses", "storefront") { BusinessListScreen() }
            tab("Events", "calendar") { EventListScreen() }
            tab("Map", "map") { MapScreen() }
        }
        .environment(town)
        .task {
            await town.follow()
            if case .revoked = town.state { session.end() }
        }
    }

    private func tab(_ title: String, _ image: String, @ViewBuilder _ screen: () -> some View) -> some View {
        NavigationStack {
            screen()
                .navigationDestination(for: Business.self) { BusinessScreen(slug: $0.slug) }
                .navigationDestination(for: EventDetails.self) { EventScreen(slug: $0.slug) }
                .toolbar { LoginButton() }
        }
        .tabItem { Label(title, systemImage: image) }
    }
}
