import Testing
import ViewTree

/// Which view handles a key.
@MainActor @Suite struct KeyTests {
    @Test func aKeyGoesFromTheInnermostViewOutward() {
        let calls = Evaluations()
        let tree = Tree(Nested(calls: calls))
        #expect(tree.press(.character("a")))
        #expect(tree.press(.character("b")))
        #expect(!tree.press(.character("c")))
        #expect((calls["inner a"], calls["outer a"], calls["outer b"]) == (1, 0, 1))
    }

    @Test func theFocusedViewComesFirst() {
        let tree = Tree(TwoFields())
        tree.type("xs")
        #expect(tree.lines == ["First: xs|", "Second: ", "[Switch]"])
        tree.press(.tab)
        tree.type("y")
        #expect(tree.lines == ["First: xs", "Second: y|", "[Switch]"])
    }

    @Test func keysStayInTheTopmostSheet() {
        let tree = Tree(Stacked(depth: 0))
        tree.press(.character("o"))
        tree.press(.character("o"))
        #expect(tree.screen.sheets.count == 2)
        #expect(tree.sheetLines == ["sheet 2"])
        #expect(!tree.press(.character("q")))
        for count in [1, 0] {
            tree.press(.escape)
            #expect(tree.screen.sheets.count == count)
        }
        #expect(tree.press(.character("q")))
    }

    @Test func aDisabledControlTakesNoKey() {
        let tree = Tree(DisabledControls())
        for key in [Key.character("b"), .down, .character("x")] { #expect(!tree.press(key)) }
        #expect(tree.lines == ["(Button)", "1", "Field: "])
    }

    @Test func arrowsMoveTheSelectionWithinTheList() {
        let tree = Tree(Numbers(count: 3))
        let steps: [(Key, [String])] = [
            (.up, ["▸1", "2", "3"]), (.up, ["▸1", "2", "3"]), (.down, ["1", "▸2", "3"]), (.down, ["1", "2", "▸3"]),
            (.down, ["1", "2", "▸3"]), (.up, ["1", "▸2", "3"]),
        ]
        for (key, lines) in steps {
            #expect(tree.press(key))
            #expect(tree.lines == lines)
        }
        #expect(!Tree(Numbers(count: 0)).press(.down))
    }

    @Test func aPageHasTheRowsOfItsEnvironment() {
        let tree = Tree(Numbers(count: 9).environment(\.rowsOfPage, 3))
        for (key, row) in [(Key.pageDown, 4), (.pageDown, 7), (.pageDown, 9), (.pageUp, 6), (.home, 1), (.end, 9)] {
            tree.press(key)
            #expect(tree.lines.firstIndex { $0.hasPrefix("▸") } == row - 1, "\(key)")
        }
    }

    @Test func onlyRowsNearTheSelectedOneAreEvaluated() {
        let tree = Tree(Numbers(count: 1000))
        for (key, row) in [(Key.home, 0), (.pageDown, 10), (.end, 999), (.pageUp, 989)] {
            tree.press(key)
            guard case .vertical(let parts) = tree.screen.content, case .list(let rows, let selected)? = parts.first
            else {
                Issue.record("\(tree.screen.content)")
                return
            }
            #expect(rows.count == 1000 && selected == row)
            let evaluated = rows.indices.filter { rows[$0] != .spacer }
            #expect(evaluated == Array(max(0, row - 60)..<min(1000, row + 60)))
        }
    }

    @Test func aFieldIsEditedAtItsCursor() {
        let tree = Tree(TwoFields())
        let steps: [(Key, String)] = [
            (.backspace, "|"), (.left, "|"), (.character("a"), "a|"), (.character("é"), "aé|"), (.left, "a|é"),
            (.character("界"), "a界|é"), (.right, "a界é|"), (.right, "a界é|"), (.left, "a界|é"),
            (.backspace, "a|é"), (.character("\u{301}"), "á|é"), (.backspace, "|é"), (.backspace, "|é"),
        ]
        for (key, text) in steps {
            #expect(tree.press(key))
            #expect(tree.lines.first == "First: \(text)")
        }
        #expect(!tree.press(.up))
    }
}

private struct Nested: View {
    let calls: Evaluations
    var body: some View {
        VStack {
            Text("inner").onKeyPress(.character("a")) { calls.record("inner a") }
            Text("sibling")
        }
        .onKeyPress(.character("a")) { calls.record("outer a") }
        .onKeyPress(.character("b")) { calls.record("outer b") }
    }
}

private struct TwoFields: View {
    @State private var first = ""
    @State private var second = ""
    @State private var isFirstFocused = true
    var body: some View {
        TextField("First", text: $first).focused(isFirstFocused)
        TextField("Second", text: $second).focused(!isFirstFocused)
        Button("Switch", key: .character("s")) { isFirstFocused.toggle() }
            .onKeyPress(.tab) { isFirstFocused.toggle() }
    }
}

private struct Stacked: View {
    let depth: Int
    @State private var isPresented = false
    var body: some View {
        Text("sheet \(depth)")
            .onKeyPress(.character("o")) { isPresented = true }
            .onKeyPress { key in depth == 0 && key == .character("q") ? .handled : .ignored }
            .sheet(isPresented: $isPresented) { AnotherSheet(depth: depth + 1) }
    }
}

/// Ends the recursion of the type.
private struct AnotherSheet: View {
    let depth: Int
    @State private var isPresented = false
    var body: some View {
        Text("sheet \(depth)")
            .onKeyPress(.character("o")) { isPresented = true }
            .sheet(isPresented: $isPresented) { Text("sheet \(depth + 1)") }
    }
}

private struct DisabledControls: View {
    @State private var text = ""
    var body: some View {
        VStack {
            Button("Button", key: .character("b")) { text = "pressed" }.disabled(false)
            Numbers(count: 1)
            TextField("Field", text: $text).focused(true)
        }
        .disabled(true)
    }
}

private struct Number: Identifiable {
    let id: Int
}

private struct Numbers: View {
    let count: Int
    @State private var selection: Int?
    var body: some View {
        List((0..<count).map { Number(id: $0 + 1) }, selection: $selection) { Text("\($0.id)") }
    }
}
