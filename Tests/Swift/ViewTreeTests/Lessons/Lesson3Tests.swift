import Observation
import Testing
import ViewTree

/// One source of truth: a binding reads and writes the value of its owner.
@MainActor @Suite struct Lesson3Tests {
    @Test func allLevelsOfABindingAgreeAndAPrivateCopyDoesNot() {
        let tree = Tree(Owner())
        #expect(tree.lines == ["owner 1", "middle 1", "leaf 1", "display 1", "copy 1"])
        tree.press(.character("+"))
        #expect(tree.lines == ["owner 2", "middle 2", "leaf 2", "display 2", "copy 1"])
    }
}

private struct Owner: View {
    @State private var count = 1
    var body: some View {
        Text("owner \(count)")
        Middle(count: $count)
        PrivateCopy(initial: count)
    }
}

private struct Middle: View {
    @Binding var count: Int
    var body: some View {
        Text("middle \(count)")
        Leaf(count: $count)
    }
}

private struct Leaf: View {
    @Binding var count: Int
    var body: some View {
        Text("leaf \(count)").onKeyPress(.character("+")) { count += 1 }
        Display(count: count)
    }
}

private struct Display: View {
    let count: Int
    var body: some View { Text("display \(count)") }
}

private struct PrivateCopy: View {
    @State private var count: Int

    init(initial: Int) {
        _count = State(wrappedValue: initial)
    }

    var body: some View { Text("copy \(count)") }
}
