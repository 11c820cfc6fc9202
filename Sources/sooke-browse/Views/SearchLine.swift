import ViewTree

/// The text of a search, and how many were found.
struct SearchLine: View {
    let text: Binding<String>
    let isSearching: Binding<Bool>
    let found: String

    var body: some View {
        HStack {
            Text("Search:").foregroundStyle(.secondary)
            TextField("press / and type", text: text).focused(isSearching.wrappedValue)
            Text(found).foregroundStyle(.secondary)
        }
        .onKeyPress { key in
            guard isSearching.wrappedValue else { return .ignored }
            switch key {
            case .enter: isSearching.wrappedValue = false
            case .escape: (isSearching.wrappedValue, text.wrappedValue) = (false, "")
            case .up, .down, .pageUp, .pageDown: return .ignored
            // What a text field does not use must not leave the screen while one types.
            default: break
            }
            return .handled
        }
        .focused(isSearching.wrappedValue)
    }
}

/// The keys of a screen; while one types a search, those of the search.
struct KeyLine<Keys: View>: View {
    @Environment(Browser.self) private var browser
    let isSearching: Bool
    let keys: Keys

    init(isSearching: Bool = false, @ViewBuilder keys: () -> Keys) {
        self.isSearching = isSearching
        self.keys = keys()
    }

    @State private var isHelping = false

    var body: some View {
        HStack {
            if isSearching {
                Text("⏎ done  esc clear  ↑↓ move")
            } else {
                Text("↑↓ move")
                keys
                AccountKeys()
                Button("help", key: .character("?")) { isHelping = true }
            }
        }
        .sheet(isPresented: $isHelping) { HelpView() }
    }
}

/// The keys that every list has.
private struct AccountKeys: View {
    @Environment(Browser.self) private var browser

    var body: some View {
        if browser.session.isLoggedIn {
            Button("log out", key: .character("l")) { browser.logOut() }
        } else {
            Button("log in", key: .character("l")) { browser.isLoggingIn = true }
        }
        Button("quit", key: .character("q")) { browser.quit() }
    }
}

/// Says why a list is empty, and what to do.
struct EmptyText: View {
    @Environment(Browser.self) private var browser
    let isSearch: Bool

    var body: some View {
        if isSearch {
            Text("Nothing found. Try fewer letters, or another category.").foregroundStyle(.secondary)
        } else if browser.town.replica.position == nil {
            Text("Waiting for the town …").foregroundStyle(.secondary)
        } else {
            Text("Nothing here yet.").foregroundStyle(.secondary)
        }
    }
}
