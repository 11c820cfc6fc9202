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
