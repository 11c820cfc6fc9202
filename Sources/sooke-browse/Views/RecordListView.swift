import SookeClient
import ViewTree

struct RecordListView: View {
    @Environment(Browser.self) private var browser
    let list: RecordList
    @State private var isSearching = false
    @State private var opened: Opened<Int64>?

    var body: some View {
        let town = browser.town
        let rows = list.rows(in: town)
        let selected = rows.contains { $0.id == list.selection } ? list.selection : rows.first?.id
        VStack {
            SearchLine(
                text: Bindable(wrappedValue: list).searchText, isSearching: $isSearching,
                found: list.count(rows, in: town))
            if let error = town.error { Text(browser.describe(error)).foregroundStyle(.warning) }
            if rows.isEmpty { Text(list.textOfEmpty(in: town)).foregroundStyle(.secondary) }
            List(rows, selection: Binding(get: { selected }, set: { list.selection = $0 })) { RecordLine(row: $0) }
            Spacer()
            Divider()
            ListKeys(list: list, isSearching: $isSearching) { opened = selected.map { Opened(id: $0) } }
        }
        .navigationTitle(list.title(in: town))
        .sheet(item: $opened) { RecordDetail(list: list, id: $0.id) }
    }
}

private struct Opened<ID: Hashable>: Identifiable {
    let id: ID
}

private struct ListKeys: View {
    @Environment(Browser.self) private var browser
    @State private var isChoosing = false
    let list: RecordList
    let isSearching: Binding<Bool>
    let open: () -> Void

    var body: some View {
        HStack {
            if isSearching.wrappedValue {
                Text("⏎ done  esc clear  ↑↓ move")
            } else {
                Button("open", key: .enter, action: open)
                Button("search", key: .character("/")) { isSearching.wrappedValue = true }
                more
                Button("quit", key: .character("q")) { browser.isQuitting = true }
            }
        }
        .sheet(isPresented: $isChoosing) { ChoiceView(list: list) }
    }

    @ViewBuilder private var more: some View {
        Button(list.groupName, key: .character("c")) { isChoosing = true }
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

/// The place yields where there is no room.
private struct RecordLine: View {
    @Environment(Browser.self) private var browser
    let row: RecordRow

    var body: some View {
        let isNarrow = browser.size.isNarrow
        HStack {
            if let day = row.day {
                Text(day).foregroundStyle(.accent).frame(width: 10)
                Text(row.time).frame(width: 8)
            }
            Text(row.name)
            Spacer()
            if browser.size.columns >= 80 { Text(row.place).foregroundStyle(.secondary).frame(width: 22) }
            if let state = row.state {
                if isNarrow || state.isUnconfirmed {
                    Text(state.short).foregroundStyle(state.role)
                } else {
                    Text(state.text).foregroundStyle(state.role).frame(width: 22)
                }
            }
        }
    }
}

/// A record that is followed by its ID, and scrolled by lines.
private struct RecordDetail: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var line: Int?
    @State private var edited: Opened<String>?
    let list: RecordList
    let id: Int64

    var body: some View {
        let record = list.record(id, in: browser.town)
        VStack {
            if let record {
                HStack {
                    Text(record.name).bold()
                    Spacer()
                    if let state = record.state { Text(state.text).foregroundStyle(state.role) }
                }
                Divider()
                List(record.wrapped(to: browser.size.text), selection: Binding(get: { line ?? 0 }, set: { line = $0 }))
                { line in
                    HStack { Text(line.text).foregroundStyle(line.role) }
                }
            } else {
                Text(list.textOfMissing(in: browser.town)).foregroundStyle(.warning)
            }
            Spacer()
            Divider()
            HStack {
                Text("↑↓ move")
                if browser.session.isLoggedIn, let slug = record?.slug {
                    Button("edit", key: .character("E")) { edited = Opened(id: slug) }
                }
                Button("back", key: .escape) { dismiss() }
            }
        }
        .sheet(item: $edited) { EditView(slug: $0.id, drafts: browser.folders.drafts) }
    }
}

private struct ChoiceView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    let list: RecordList
    @State private var selection: Int64?

    var body: some View {
        // The first row represents all.
        let rows = [RecordList.Group(id: 0, name: list.textOfAllGroups, slug: "")] + list.groups(in: browser.town)
        let current = selection ?? list.group(in: browser.town)?.id ?? 0
        VStack {
            Text(list.titleOfGroups).bold()
            Divider()
            List(rows, selection: Binding(get: { current }, set: { selection = $0 })) { row in
                HStack { Text(row.name) }
            }
            Spacer()
            Divider()
            HStack {
                Text("↑↓ move")
                Button("choose", key: .enter) {
                    list.select(current == 0 ? nil : current)
                    dismiss()
                }
                Button("back", key: .escape) { dismiss() }
            }
        }
    }
}
