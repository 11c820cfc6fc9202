import ViewTree

/// The keys of a list; while one types a search, those of the search. On a low screen most of them are only in the help.
struct KeyLine<Keys: View, More: View>: View {
    @Environment(Browser.self) private var browser
    @State private var isHelping = false
    private let isSearching: Bool
    private let keys: Keys
    private let more: More

    init(isSearching: Bool, @ViewBuilder keys: () -> Keys, @ViewBuilder more: () -> More) {
        self.isSearching = isSearching
        (self.keys, self.more) = (keys(), more())
    }

    var body: some View {
        HStack {
            if isSearching {
                Text("⏎ done  esc clear  ↑↓ move")
            } else {
                keys
                more.hidden(browser.size.isLow)
                AccountKey().hidden(browser.size.isLow)
                Button("help", key: .character("?")) { isHelping = true }
                Button("quit", key: .character("q")) { browser.quit() }
            }
        }
        .sheet(isPresented: $isHelping) { HelpView() }
    }
}

/// The key that logs in or out.
private struct AccountKey: View {
    @Environment(Browser.self) private var browser

    var body: some View {
        if browser.session.isLoggedIn {
            Button("log out", key: .character("l")) { browser.logOut() }
        } else {
            Button("log in", key: .character("l")) { browser.isLoggingIn = true }
        }
    }
}
