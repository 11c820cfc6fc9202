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
