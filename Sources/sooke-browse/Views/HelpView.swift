import ViewTree

/// All keys, with what they do.
struct HelpView: View {
    @Environment(\.dismiss) private var dismiss
    @State private var line: Int?

    private struct Line: Identifiable {
        let id: Int
        let keys: String
        let text: String
    }

    private static let lines = [
        ("↑ ↓", "the row before, the next one"), ("PgUp PgDn", "ten rows"), ("Home End", "the first row, the last one"),
        ("⏎", "open what is selected"), ("esc", "back; while one searches: clear the search"),
        ("/", "search as one types"),
        ("c", "only one category, or type of events"), ("o", "only businesses that are open now"),
        ("b e", "the businesses, the events"), ("l", "log in or out"), ("E", "edit a business that one owns"),
        ("^S ^D", "while one edits: save, discard the draft"), ("^L", "draw the screen again"), ("q ^C", "quit"),
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
