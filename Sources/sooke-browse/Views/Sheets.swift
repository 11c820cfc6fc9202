import SookeClient
import ViewTree

/// A sheet to narrow a list to one category or type, or to none.
struct ChoiceView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    let list: RecordList
    @State private var selection: Int64?

    var body: some View {
        // The first row stands for all.
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

struct LoginView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var email = ""
    @State private var password = ""
    @State private var isInPassword = false
    /// The number of the attempt that is under way; 0 before the first.
    @State private var attempt = 0

    var body: some View {
        VStack {
            Text("Log in").bold()
            Divider()
            HStack {
                Text("E-mail").frame(width: 10)
                TextField("ada@town.example", text: $email).focused(!isInPassword)
            }
            HStack {
                Text("Password").frame(width: 10)
                SecureField("", text: $password).focused(isInPassword)
            }
            if let error = browser.session.error, attempt > 0 {
                Text(browser.describe(error)).foregroundStyle(.warning)
            }
            Spacer()
            Divider()
            HStack {
                Button("next field", key: .tab) { isInPassword.toggle() }
                Button("log in", key: .enter) { if isInPassword { attempt += 1 } else { isInPassword = true } }
                    .disabled(browser.session.isLoading)
                Button("cancel", key: .escape) { dismiss() }
            }
        }
        .task(id: attempt) {
            guard attempt > 0 else { return }
            if await browser.logIn(email: email, password: password) { dismiss() } else { password = "" }
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
