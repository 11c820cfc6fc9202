import ViewTree

/// A list with the selected record: its detail beside it, where there is room, or else a few lines of it below.
struct ListWithDetail<Rows: View, Preview: View, Detail: View>: View {
    @Environment(Browser.self) private var browser
    private let rows: Rows
    private let preview: Preview
    private let detail: Detail

    init(@ViewBuilder rows: () -> Rows, @ViewBuilder preview: () -> Preview, @ViewBuilder detail: () -> Detail) {
        (self.rows, self.preview, self.detail) = (rows(), preview(), detail())
    }

    var body: some View {
        if browser.size.isWide {
            Panes {
                rows
            } trailing: {
                detail
            }
        } else {
            rows
            Spacer()
            if !browser.size.isLow { preview }
        }
    }
}

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

struct OpenedRecord: Identifiable {
    let id: Int64
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
