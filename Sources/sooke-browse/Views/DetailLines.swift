import ViewTree

/// The lines of a detail, by which it is scrolled.
struct DetailLines: View {
    @Environment(Browser.self) private var browser
    @State private var line: Int?
    let texts: [(text: String, role: TextStyle.Role)]
    /// Whether it takes the keys. Without them no line is marked.
    let isActive: Bool

    private struct Line: Identifiable {
        let id: Int
        let text: String
        let role: TextStyle.Role
    }

    var body: some View {
        // Each line that is in view can be reached, also those of a long text.
        let width = browser.size.isWide ? browser.size.paneText : browser.size.text
        let wrapped = texts.flatMap { text, role in WrappedText(text, width: width).lines.map { ($0, role) } }
        let lines = wrapped.enumerated().map { Line(id: $0.offset, text: $0.element.0, role: $0.element.1) }
        List(lines, selection: $line.or(0).unless(!isActive)) { line in
            HStack { Text(line.text).foregroundStyle(line.role) }
        }
        .disabled(!isActive)
        .focused(isActive)
    }
}
