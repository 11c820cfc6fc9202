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

struct HelpView: View {
    @Environment(\.dismiss) private var dismiss
    @State private var line: Int?

    private struct Line: Identifiable {
        let id: Int
        let keys: String
        let text: String
    }

    // Short enough for 40 columns.
    private static let lines = [
        ("↑ ↓", "one row up or down"), ("PgUp PgDn", "a page up or down"), ("Home End", "the first row, the last"),
        ("⏎", "open what is selected"), ("esc", "back; clear the search"), ("/", "search as one types"),
        ("c", "one category, one type"), ("o", "only what is open now"), ("b e", "businesses, events"),
        ("l", "log in or out"), ("E", "edit an own business"), ("^S ^D", "save or discard a draft"),
        ("^L", "draw the screen again"), ("q ^C", "quit"),
    ].enumerated().map { Line(id: $0.offset, keys: $0.element.0, text: $0.element.1) }

    var body: some View {
        VStack {
            Text("Keys").bold()
            Divider()
            List(Self.lines, selection: $line.or(0)) { line in
                HStack {
                    Text(line.keys).foregroundStyle(.accent).frame(width: 10)
                    Text(line.text)
                }
            }
            Spacer()
            Divider()
            HStack { Button("back", key: .escape) { dismiss() } }
        }
    }
}
