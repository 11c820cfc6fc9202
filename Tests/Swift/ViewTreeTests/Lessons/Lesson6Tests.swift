import Observation
import Testing
import ViewTree

/// The draft pattern: a copy that is edited, and written back as a whole or not at all.
@MainActor @Suite struct Lesson6Tests {
    private let contact = Contact()

    @Test func saveIsDisabledExactlyWhileTheDraftIsInvalid() {
        let tree = Tree(ContactScreen(contact: contact))
        tree.press(.character("e"))
        #expect(tree.sheetLines == ["Name: Ada|", "[Save]", "[Cancel]"])
        for _ in 1...3 { tree.press(.backspace) }
        #expect(tree.sheetLines == ["Name: |", "(Save)", "[Cancel]"])
        tree.press(.control("s"))
        #expect(tree.sheetLines != nil)
        tree.type("Grace")
        #expect(tree.sheetLines == ["Name: Grace|", "[Save]", "[Cancel]"])
        tree.press(.control("s"))
        #expect(tree.sheetLines == nil)
        #expect(tree.lines == ["Grace"])
    }

    @Test func cancelLeavesTheOriginal() {
        let tree = Tree(ContactScreen(contact: contact))
        for key in [Key.control("c"), .escape] {
            tree.press(.character("e"))
            tree.type("!!")
            #expect(tree.sheetLines?.first == "Name: Ada!!|")
            #expect(tree.lines == ["Ada"])
            tree.press(key)
            #expect(tree.sheetLines == nil)
            #expect(contact.name == "Ada")
        }
    }
}

@Observable @MainActor private final class Contact {
    var name = "Ada"
}

private struct ContactScreen: View {
    let contact: Contact
    @State private var isEditing = false

    var body: some View {
        Text(contact.name)
            .onKeyPress(.character("e")) { isEditing = true }
            .sheet(isPresented: $isEditing) { ContactEditor(contact: contact) }
    }
}

private struct ContactEditor: View {
    let contact: Contact
    @State private var name: String
    @Environment(\.dismiss) private var dismiss

    init(contact: Contact) {
        self.contact = contact
        _name = State(wrappedValue: contact.name)
    }

    var body: some View {
        TextField("Name", text: $name).focused(true)
        Button("Save", key: .control("s")) {
            contact.name = name
            dismiss()
        }
        .disabled(name.isEmpty)
        Button("Cancel", key: .control("c")) { dismiss() }
    }
}
