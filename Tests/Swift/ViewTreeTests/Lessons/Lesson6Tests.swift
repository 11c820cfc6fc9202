import Foundation
import Observation
import Testing
import ViewTree

/// A contact: the draft, its file, and storage that is passed in.
@MainActor @Suite final class Lesson6Tests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "contact-\(UUID())")
    private var file: URL { folder.appending(path: "contact.json") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func makeStorage() throws -> ContactStorage {
        let storage = ContactStorage(file: file)
        try storage.save(Contact(name: "Ada", phone: "250-555-0101"))
        return storage
    }

    @Test func saveIsDisabledExactlyWhileTheDraftIsInvalid() throws {
        let tree = Tree(ContactScreen(storage: try makeStorage()))
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

    @Test func cancelLeavesOriginalAndFileUnchanged() throws {
        let storage = try makeStorage()
        let before = try Data(contentsOf: file)
        let tree = Tree(ContactScreen(storage: storage))
        for key in [Key.control("c"), .escape] {
            tree.press(.character("e"))
            tree.type("!!")
            #expect(tree.sheetLines?.first == "Name: Ada!!|")
            #expect(tree.lines == ["Ada"])
            tree.press(key)
            #expect(tree.sheetLines == nil)
            #expect(storage.contact.name == "Ada")
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test func whatIsSavedIsReadAtTheNextStart() throws {
        let tree = Tree(ContactScreen(storage: try makeStorage()))
        tree.press(.character("e"))
        tree.type(" L")
        tree.press(.control("s"))
        let next = ContactStorage(file: file)
        #expect(Tree(ContactScreen(storage: next)).lines == ["Ada L"])
        #expect(next.problem == nil)
        #expect(try names() == ["contact.json"])
    }

    @Test func aSaveReplacesTheFileAsAWhole() throws {
        let storage = try makeStorage()
        let reader = try FileHandle(forReadingFrom: file)
        let before = try Data(contentsOf: file)
        try storage.save(Contact(name: "Grace", phone: ""))
        #expect(try reader.readToEnd() == before)
        #expect(ContactStorage(file: file).contact.name == "Grace")
    }

    @Test func aMissingFileGivesTheDefaultAndIsReported() throws {
        let storage = ContactStorage(file: file)
        #expect(storage.contact == Contact())
        #expect(storage.problem == "contact.json is missing")
        #expect(Tree(ContactScreen(storage: storage)).lines == ["New contact", "contact.json is missing"])
    }

    @Test(arguments: ["", "{", #"{"name": 1}"#]) func aDamagedFileIsSetAside(text: String) throws {
        try Data(text.utf8).write(to: file)
        let storage = ContactStorage(file: file)
        #expect(storage.contact == Contact())
        #expect(storage.problem == "contact.json is damaged; it is now contact.json.damaged")
        #expect(try names() == ["contact.json.damaged"])
        #expect(try Data(contentsOf: folder.appending(path: "contact.json.damaged")) == Data(text.utf8))
    }

    @Test func twoModelsShareTheStorageThatTheRootPassesIn() throws {
        let tree = Tree(TwoModels(storage: try makeStorage()))
        #expect(tree.lines == ["card: Ada", "greeting: Hello, Ada"])
        tree.press(.character("r"))
        #expect(tree.lines == ["card: Grace", "greeting: Hello, Grace"])
        let other = ContactStorage(file: folder.appending(path: "other.json"))
        #expect(Tree(TwoModels(storage: other)).lines == ["card: New contact", "greeting: Hello, New contact"])
    }

    @Test func whetherTheSheetIsOpenIsInNoModel() throws {
        let storage = try makeStorage()
        let trees = (Tree(ContactScreen(storage: storage)), Tree(ContactScreen(storage: storage)))
        trees.0.press(.character("e"))
        trees.1.redraw()
        #expect(trees.0.sheetLines != nil)
        #expect(trees.1.sheetLines == nil)
        #expect(trees.1.invalidated.isEmpty)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }
}

private struct Contact: Codable, Equatable {
    var name = "New contact"
    var phone = ""
    var isValid: Bool { !name.isEmpty }
}

/// The stored contact and its file.
@Observable @MainActor private final class ContactStorage {
    private(set) var contact = Contact()
    private(set) var problem: String?
    private let file: URL

    init(file: URL) {
        self.file = file
        let name = file.lastPathComponent
        guard let data = FileManager.default.contents(atPath: file.path) else {
            problem = "\(name) is missing"
            return
        }
        do {
            contact = try JSONDecoder().decode(Contact.self, from: data)
        } catch {
            let aside = file.appendingPathExtension("damaged")
            try? FileManager.default.moveItem(at: file, to: aside)
            problem = "\(name) is damaged; it is now \(aside.lastPathComponent)"
        }
    }

    func save(_ contact: Contact) throws {
        try JSONEncoder().encode(contact).write(to: file, options: .atomic)
        self.contact = contact
        problem = nil
    }
}

/// The draft pattern: a copy that is edited, and written back as a whole or not at all.
@Observable @MainActor private final class ContactDraft {
    var contact: Contact
    private let storage: ContactStorage

    init(storage: ContactStorage) {
        self.storage = storage
        contact = storage.contact
    }

    var canSave: Bool { contact.isValid }

    func save() throws {
        try storage.save(contact)
    }
}

private struct ContactScreen: View {
    let storage: ContactStorage
    @State private var isEditing = false
    var body: some View {
        VStack {
            Text(storage.contact.name)
            if let problem = storage.problem { Text(problem).foregroundStyle(.warning) }
        }
        .onKeyPress(.character("e")) { isEditing = true }
        .sheet(isPresented: $isEditing) { ContactEditor(storage: storage) }
    }
}

private struct ContactEditor: View {
    @State private var draft: ContactDraft
    @State private var problem: String?
    @Environment(\.dismiss) private var dismiss

    init(storage: ContactStorage) {
        _draft = State(wrappedValue: ContactDraft(storage: storage))
    }

    var body: some View {
        TextField("Name", text: $draft.contact.name).focused(true)
        Button("Save", key: .control("s")) { save() }.disabled(!draft.canSave)
        Button("Cancel", key: .control("c")) { dismiss() }
        if let problem { Text(problem).foregroundStyle(.warning) }
    }

    private func save() {
        do {
            try draft.save()
            dismiss()
        } catch {
            problem = "\(error)"
        }
    }
}

@Observable @MainActor private final class CardModel {
    private let storage: ContactStorage
    var name: String { storage.contact.name }

    init(storage: ContactStorage) {
        self.storage = storage
    }

    func rename(_ name: String) {
        try? storage.save(Contact(name: name, phone: storage.contact.phone))
    }
}

@Observable @MainActor private final class GreetingModel {
    private let storage: ContactStorage
    var text: String { "Hello, \(storage.contact.name)" }

    init(storage: ContactStorage) {
        self.storage = storage
    }
}

private struct TwoModels: View {
    @State private var card: CardModel
    @State private var greeting: GreetingModel

    init(storage: ContactStorage) {
        _card = State(wrappedValue: CardModel(storage: storage))
        _greeting = State(wrappedValue: GreetingModel(storage: storage))
    }

    var body: some View {
        Text("card: \(card.name)").onKeyPress(.character("r")) { card.rename("Grace") }
        Text("greeting: \(greeting.text)")
    }
}
