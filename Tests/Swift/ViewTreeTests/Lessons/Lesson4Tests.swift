import Observation
import Testing
import ViewTree

/// A list and its detail: what refers to a record refers to its ID.
@MainActor @Suite struct Lesson4Tests {
    private let model = People()

    private func loadedTree() async -> Tree {
        let tree = Tree(PersonList(model: model))
        await tree.turns { !model.people.isEmpty }
        tree.redraw()
        return tree
    }

    @Test func anEditInTheDetailShowsInTheList() async {
        let tree = await loadedTree()
        tree.press(.down)
        tree.press(.enter)
        #expect(tree.sheetLines == ["Name: Ada|"])
        tree.type("h")
        #expect(tree.sheetLines == ["Name: Adah|"])
        #expect(tree.lines == ["3 people", "▸Adah", "Grace", "Edsger"])
    }

    @Test func selectionAndBindingFollowTheIDWhileTheListChanges() async {
        let tree = await loadedTree()
        tree.press(.down)
        tree.press(.down)
        tree.press(.enter)
        let changes: [(lines: [String], change: () -> Void)] = [
            (["3 people", "Ada", "Edsger", "▸Grace!"], { model.people.sort { $0.name < $1.name } }),
            (["2 people", "Edsger", "▸Grace!!"], { model.people.removeFirst() }),
            (["2 people", "▸Grace!!!", "Edsger"], { model.people = model.people.reversed() }),
            (["3 people", "Ada", "▸Grace!", "Edsger"], { model.people = People.fetched }),
        ]
        for (lines, change) in changes {
            change()
            tree.redraw()
            tree.type("!")
            #expect(tree.lines == lines)
        }
        #expect(tree.sheetLines == ["Name: Grace!|"])
    }

    @Test func theEditorClosesWhenItsRecordIsDeletedElsewhere() async {
        let tree = await loadedTree()
        tree.press(.down)
        tree.press(.enter)
        model.people.removeFirst()
        tree.redraw()
        #expect(tree.sheetLines == nil)
        #expect(tree.lines == ["2 people", "Grace", "Edsger"])
        tree.type("x")
        #expect(model.people.map(\.name) == ["Grace", "Edsger"])
    }

    @Test func rowsKeepTheirStateAndEditTheirOwnElement() async {
        model.people = People.fetched
        let tree = Tree(MarkedRows(model: model))
        tree.press(.character("2"))
        #expect(tree.lines == ["1 Ada", "2 Grace *", "3 Edsger"])
        model.people = [model.people[1], model.people[2]]
        tree.redraw()
        #expect(tree.lines == ["2 Grace *", "3 Edsger"])
        tree.press(.character("3"))
        #expect(model.people.map(\.name) == ["Grace *", "Edsger *"])
    }

    @Test func aDuplicateIDIsReported() {
        model.people = [People.fetched[0], People.fetched[0]]
        let tree = Tree(MarkedRows(model: model))
        #expect(tree.lines.first == "1 Ada")
        #expect(tree.errors == [.duplicateID(view: "ForEach", id: "1")])
    }
}

private struct Person: Identifiable {
    let id: Int
    var name: String
}

@Observable @MainActor private final class People {
    static let fetched = [Person(id: 1, name: "Ada"), Person(id: 2, name: "Grace"), Person(id: 3, name: "Edsger")]

    var people: [Person] = []
    private(set) var fetches = 0

    func fetch() async {
        fetches += 1
        people = Self.fetched
    }
}

private struct PersonList: View {
    @Bindable var model: People
    @State private var selection: Person.ID?
    @State private var edited: Person.ID?

    var body: some View {
        Text("\(model.people.count) people")
        List(model.people, selection: $selection) { Text($0.name) }
            .onKeyPress(.enter) { edited = selection }
            .task { await model.fetch() }
            .sheet(item: editedPerson) { person in
                Editor(person: $model.people.element(person.id, last: person))
            }
    }

    /// Nil as soon as the record is gone.
    private var editedPerson: Binding<Person?> {
        Binding {
            model.people.first { $0.id == edited }
        } set: {
            edited = $0?.id
        }
    }
}

private struct Editor: View {
    @Binding var person: Person
    var body: some View { TextField("Name", text: $person.name).focused(true) }
}

private struct MarkedRows: View {
    @Bindable var model: People
    var body: some View { ForEach($model.people) { MarkedRow(person: $0) } }
}

private struct MarkedRow: View {
    @Binding var person: Person
    @State private var number: Int?
    var body: some View {
        Text("\(number ?? 0) \(person.name)")
            .onAppear { number = person.id }
            .onKeyPress(.character(Character("\(number ?? 0)"))) { person.name += " *" }
    }
}
