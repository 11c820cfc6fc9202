import Observation
import Testing
import ViewTree

/// The same with a list of observable objects, each of which is its own identity.
extension Lesson4Tests {
    private static let team = ["Ada", "Grace", "Edsger"]

    /// A tree in which the editor of the second object is open.
    private func editing(_ team: Team) -> Tree {
        let tree = Tree(TeamList(team: team))
        for key in [Key.down, .down, .enter] { tree.press(key) }
        #expect(tree.sheetLines == ["Name: Grace|"])
        return tree
    }

    @Test func anEditOfAnObjectEvaluatesItsRowAndKeepsTheSelection() {
        let tree = editing(Team(Self.team))
        #expect(tree.lines == ["3 members", "Ada", "▸Grace", "Edsger"])
        tree.type("!")
        #expect(tree.sheetLines == ["Name: Grace!|"])
        #expect(tree.lines == ["3 members", "Ada", "▸Grace!", "Edsger"])
        #expect(!tree.invalidated.contains("TeamList"), "the list reads no name")
    }

    @Test func theSelectedObjectIsEditedWhereverItIs() {
        let team = Team(Self.team)
        let (tree, grace) = (editing(team), team.members[1])
        let changes: [(lines: [String], change: () -> Void)] = [
            (["3 members", "Edsger", "▸Grace!", "Ada"], { team.members.reverse() }),
            (["2 members", "▸Grace!!", "Ada"], { team.members.removeFirst() }),
            (["2 members", "▸Hopper!", "Ada"], { grace.name = "Hopper" }),
            (["3 members", "Grace", "▸Hopper!!", "Ada"], { team.members.insert(Member("Grace"), at: 0) }),
        ]
        for (lines, change) in changes {
            change()
            tree.redraw()
            tree.type("!")
            #expect(tree.lines == lines)
        }
        #expect(tree.sheetLines == ["Name: Hopper!!|"])
    }

    @Test func theEditorOfADeletedObjectCloses() {
        let team = Team(Self.team)
        let (tree, grace) = (editing(team), team.members[1])
        team.members.remove(at: 1)
        tree.redraw()
        #expect(tree.sheetLines == nil)
        #expect(tree.lines == ["2 members", "Ada", "Edsger"], "nothing is selected")
        tree.type("x")
        #expect(grace.name == "Grace" && team.members.map(\.name) == ["Ada", "Edsger"])
    }
}

@Observable @MainActor private final class Member: Identifiable {
    var name: String

    init(_ name: String) {
        self.name = name
    }
}

@Observable @MainActor private final class Team {
    var members: [Member]

    init(_ names: [String]) {
        members = names.map(Member.init)
    }
}

private struct TeamList: View {
    let team: Team
    @State private var selection: Member?
    @State private var isEditing = false

    var body: some View {
        Text("\(team.members.count) members")
        List(team.members, selection: selectedID) { MemberRow(member: $0) }
            .onKeyPress(.enter) { isEditing = true }
            .sheet(item: edited) { MemberEditor(member: $0) }
    }

    /// Nil as soon as the object is gone.
    private var selected: Binding<Member?> {
        Binding {
            team.members.first { $0 === selection }
        } set: {
            selection = $0
        }
    }

    private var selectedID: Binding<Member.ID?> {
        Binding {
            selected.wrappedValue?.id
        } set: { id in
            selection = team.members.first { $0.id == id }
        }
    }

    private var edited: Binding<Member?> {
        Binding {
            isEditing ? selected.wrappedValue : nil
        } set: {
            isEditing = $0 != nil
        }
    }
}

private struct MemberRow: View {
    let member: Member
    var body: some View { Text(member.name) }
}

private struct MemberEditor: View {
    let member: Member
    var body: some View { TextField("Name", text: Bindable(wrappedValue: member).name).focused(true) }
}
