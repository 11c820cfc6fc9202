/// A line of text that is edited through a binding while it has the focus.
package struct TextField: View {
    private let prompt: String
    private let text: Binding<String>
    private let isSecure: Bool
    /// Counted from the end, so that the cursor stays where it is if the text is replaced.
    @State private var charactersAfterCursor = 0
    @Environment(\.isFocused) private var isFocused
    @Environment(\.isEnabled) private var isEnabled

    package init(_ prompt: String, text: Binding<String>) {
        self.init(prompt, text: text, isSecure: false)
    }

    init(_ prompt: String, text: Binding<String>, isSecure: Bool) {
        self.prompt = prompt
        self.text = text
        self.isSecure = isSecure
    }

    package var body: some View {
        let cursor = cursor
        let isEditing = isFocused && isEnabled
        let shown = isSecure ? String(repeating: "•", count: text.wrappedValue.count) : text.wrappedValue
        FieldContent(content: .field(shown, prompt: prompt, cursor: isEditing ? cursor : nil))
            .onKeyPress { isEditing ? edit($0) : .ignored }
    }

    private var cursor: Int { max(0, text.wrappedValue.count - charactersAfterCursor) }

    private func edit(_ key: Key) -> KeyPressResult {
        var edited = text.wrappedValue
        let index = edited.index(edited.startIndex, offsetBy: cursor)
        switch key {
        case .character(let character):
            edited.insert(character, at: index)
            text.wrappedValue = edited
        case .backspace:
            if index == edited.startIndex { break }
            edited.remove(at: edited.index(before: index))
            text.wrappedValue = edited
        case .left:
            charactersAfterCursor = min(edited.count, charactersAfterCursor + 1)
        case .right:
            charactersAfterCursor = max(0, charactersAfterCursor - 1)
        default:
            return .ignored
        }
        return .handled
    }
}

package struct SecureField: View {
    private let field: TextField

    package init(_ prompt: String, text: Binding<String>) {
        field = TextField(prompt, text: text, isSecure: true)
    }

    package var body: some View { field }
}

struct FieldContent: Primitive {
    let content: Content

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [content]
    }
}
