import Observation
import Testing
import ViewTree

@MainActor @Suite struct TreeTests {
    @Test func viewsThatInvalidateEachOtherAreReported() {
        let model = Counter()
        let tree = Tree(Restless(model: model))
        model.count = 1
        tree.redraw()
        #expect(tree.errors == [.unstable(views: ["Restless"])])
        #expect(tree.lines == ["\(model.count)"])
        model.isRestless = false
        model.count = 0
        tree.redraw()
        #expect(tree.errors.isEmpty)
        #expect(tree.lines == ["0"])
    }

    @Test func onlyScreensThatDifferAreDrawn() {
        let model = Counter()
        var screens = 0
        let tree = Tree(Sign(model: model)) { _ in screens += 1 }
        for count in [1, 2, -1] {
            model.count = count
            tree.redraw()
        }
        #expect(tree.lines == ["negative"])
        #expect(screens == 2)
    }

    @Test(arguments: [true, false]) func aTaskEndsWithItsTree(isClosed: Bool) async {
        let calls = Evaluations()
        var tree: Tree? = Tree(Waiting(calls: calls))
        await tree?.turns { calls["started"] == 1 }
        if isClosed { tree?.close() } else { tree = nil }
        for _ in 0..<1000 where calls["cancelled"] == 0 { await Task.yield() }
        #expect(calls["cancelled"] == 1)
    }

    @Test func aTreeIsReleasedWithItsViews() {
        let model = Counter()
        weak var tree: Tree?
        do {
            let owned = Tree(Sign(model: model))
            tree = owned
        }
        model.count = 1
        #expect(tree == nil)
    }

    @Test func contentDescribesTheLayout() {
        let tree = Tree(Layout())
        let bold = TextStyle(role: .accent, isBold: true)
        #expect(
            tree.screen.content
                == .vertical([
                    .horizontal([.framed(width: 4, .vertical([.text("a", bold)])), .spacer, .text("b", TextStyle())]),
                    .divider,
                ]))
    }
}

@Observable @MainActor private final class Counter {
    var count = 0
    var isRestless = true
}

private struct Restless: View {
    let model: Counter
    var body: some View {
        Text("\(model.count)").onChange(of: model.count) { _, _ in if model.isRestless { model.count += 1 } }
    }
}

private struct Sign: View {
    let model: Counter
    var body: some View { Text(model.count < 0 ? "negative" : "positive") }
}

private struct Waiting: View {
    let calls: Evaluations
    var body: some View {
        EmptyView().task {
            calls.record("started")
            while !Task.isCancelled { await Task.yield() }
            calls.record("cancelled")
        }
    }
}

private struct Layout: View {
    var body: some View {
        HStack {
            Text("a").bold().foregroundStyle(.accent).frame(width: 4)
            Spacer()
            Text("b")
        }
        Divider()
    }
}
