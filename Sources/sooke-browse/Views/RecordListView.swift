import SookeClient
import ViewTree

/// A list with a search as one types, and the selected record: beside it, where there is room, or else below it.
struct RecordListView: View {
    @Environment(Browser.self) private var browser
    let list: RecordList
    @State private var isSearching = false
    @State private var isChoosing = false
    @State private var opened: Opened<Int64>?

    var body: some View {
        let town = browser.town
        let rows = list.rows(in: town)
        let selected = rows.contains { $0.id == list.selection } ? list.selection : rows.first?.id
        let isWide = browser.size.isWide
        let selection = Binding(get: { selected }, set: { list.selection = $0 })
        VStack {
            SearchLine(
                text: Bindable(wrappedValue: list).searchText, isSearching: $isSearching,
                found: list.count(rows.count, in: town))
            if let error = town.error { Text(browser.describe(error)).foregroundStyle(.warning) }
            if rows.isEmpty {
                EmptyText(isSearch: list.isNarrowed(in: town))
                Spacer()
            } else if isWide {
                Panes {
                    List(rows, selection: selection) { RecordLine(row: $0) }
                } trailing: {
                    if let id = opened?.id ?? selected {
                        RecordDetail(list: list, id: id, isActive: opened != nil).id(id)
                    }
                }
            } else {
                List(rows, selection: selection) { RecordLine(row: $0) }
                Spacer()
                if !browser.size.isLow, let record = selected.flatMap({ list.record($0, in: town) }) {
                    RecordPreview(record: record)
                }
            }
            Divider()
            if isWide, let id = opened?.id {
                DetailKeys(list: list, id: id) { opened = nil }
            } else {
                ListKeys(list: list, isSearching: $isSearching, isChoosing: $isChoosing) {
                    opened = selected.map { Opened(id: $0) }
                }
            }
        }
        .navigationTitle(list.title(in: town))
        .sheet(item: $opened.unless(isWide)) { opened in
            VStack {
                RecordDetail(list: list, id: opened.id, isActive: true)
                Spacer()
                Divider()
                DetailKeys(list: list, id: opened.id) { self.opened = nil }
            }
        }
        .sheet(isPresented: $isChoosing) { ChoiceView(list: list) }
    }
}

/// What a sheet is opened for.
private struct Opened<ID: Hashable>: Identifiable {
    let id: ID
}

/// The keys of a list; while one types a search, those of the search. On a low screen most of them are only in the
/// help.
private struct ListKeys: View {
    @Environment(Browser.self) private var browser
    @State private var isHelping = false
    let list: RecordList
    let isSearching: Binding<Bool>
    let isChoosing: Binding<Bool>
    let open: () -> Void

    var body: some View {
        HStack {
            if isSearching.wrappedValue {
                Text("⏎ done  esc clear  ↑↓ move")
            } else {
                Button("open", key: .enter, action: open)
                Button("search", key: .character("/")) { isSearching.wrappedValue = true }
                more.hidden(browser.size.isLow)
                Button("help", key: .character("?")) { isHelping = true }
                Button("quit", key: .character("q")) { browser.isQuitting = true }
            }
        }
        .sheet(isPresented: $isHelping) { HelpView() }
    }

    @ViewBuilder private var more: some View {
        Button(list.groupName, key: .character("c")) { isChoosing.wrappedValue = true }
        if list.kind == .businesses {
            Button(list.isOpenOnly ? "open or not" : "open now", key: .character("o")) { list.isOpenOnly.toggle() }
            Button("events", key: .character("e")) { browser.list = browser.events }
        } else {
            Button("businesses", key: .character("b")) { browser.list = browser.businesses }
        }
        if browser.session.isLoggedIn {
            Button("log out", key: .character("l")) { browser.logOut() }
        } else {
            Button("log in", key: .character("l")) { browser.isLoggingIn = true }
        }
    }
}

private struct SearchLine: View {
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

private struct EmptyText: View {
    @Environment(Browser.self) private var browser
    let isSearch: Bool

    var body: some View {
        Text(text).foregroundStyle(.secondary)
    }

    private var text: String {
        if isSearch { return "Nothing found. Try fewer letters, or another category." }
        return browser.town.replica.position == nil ? "Waiting for the town …" : "Nothing here yet."
    }
}

/// A row of a list. The place yields where there is no room, and beside a detail that says it.
private struct RecordLine: View {
    @Environment(Browser.self) private var browser
    let row: RecordRow

    var body: some View {
        let (isNarrow, isWide) = (browser.size.isNarrow, browser.size.isWide)
        HStack {
            if let day = row.day {
                Text(day).foregroundStyle(.accent).frame(width: 10)
                Text(row.time).frame(width: 8)
            }
            Text(row.name)
            Spacer()
            if !isNarrow, !isWide { Text(row.place).foregroundStyle(.secondary).frame(width: 22) }
            if let state = row.state {
                if isNarrow {
                    Text(state.short).foregroundStyle(state.role)
                } else {
                    Text(state.text).foregroundStyle(state.role).frame(width: 22)
                }
            }
        }
    }
}

private struct RecordPreview: View {
    let record: RecordText

    var body: some View {
        Divider()
        Text(record.name).bold()
        ForEach(record.preview, id: \.text) { line in HStack { Text(line.text).foregroundStyle(line.role) } }
    }
}

/// A record that is followed by its ID, and scrolled by lines.
private struct RecordDetail: View {
    @Environment(Browser.self) private var browser
    @State private var line: Int?
    let list: RecordList
    let id: Int64
    /// Whether it takes the keys. Without them no line is marked.
    let isActive: Bool

    var body: some View {
        if let record = list.record(id, in: browser.town) {
            HStack {
                Text(record.name).bold()
                Spacer()
                if let state = record.state { Text(state.text).foregroundStyle(state.role) }
            }
            Divider()
            List(lines(of: record), selection: $line.or(0).unless(!isActive)) { line in
                HStack { Text(line.text).foregroundStyle(line.role) }
            }
            .disabled(!isActive)
            .focused(isActive)
        } else if browser.town.replica.position == nil {
            EmptyText(isSearch: false)
        } else {
            Text(list.textOfDeleted).foregroundStyle(.warning)
        }
    }

    /// Each line that is in view can be reached, also those of a long text.
    private func lines(of record: RecordText) -> [StyledText] {
        let width = browser.size.isWide ? browser.size.paneText : browser.size.text
        let lines = record.lines.flatMap { line in wrap(line.text, width).map { ($0, line.role) } }
        return lines.enumerated().map { StyledText($0.element.0, $0.element.1, id: $0.offset) }
    }
}

private struct DetailKeys: View {
    @Environment(Browser.self) private var browser
    @State private var edited: Opened<String>?
    let list: RecordList
    let id: Int64
    let back: () -> Void

    var body: some View {
        HStack {
            Text("↑↓ move")
            if browser.session.isLoggedIn, let slug = list.record(id, in: browser.town)?.slug {
                Button("edit", key: .character("E")) { edited = Opened(id: slug) }
            }
            Button("back", key: .escape, action: back)
        }
        .sheet(item: $edited) { EditView(slug: $0.id, drafts: browser.draftFolder) }
    }
}

extension Binding {
    /// A binding whose value is another one while there is none: the first row is selected until a person selects one.
    func or<Wrapped>(_ other: Wrapped?) -> Binding where Value == Wrapped? {
        Binding {
            wrappedValue ?? other
        } set: {
            wrappedValue = $0
        }
    }

    /// A binding without a value on a condition: what is shown beside its list is not shown above it.
    func unless<Wrapped>(_ condition: Bool) -> Binding where Value == Wrapped? {
        Binding {
            condition ? nil : wrappedValue
        } set: {
            wrappedValue = $0
        }
    }
}
