import Observation
import Testing
import ViewTree

/// A view value is discarded at each redraw; what it owns outside of itself survives.
@MainActor @Suite struct Lesson2Tests {
    @Test func stateSurvivesARedrawAndAPlainPropertyDoesNot() {
        let clock = Clock()
        let tree = Tree(Outer(clock: clock) { Counters() })
        tree.press(.character("+"))
        tree.press(.character("+"))
        clock.time += 1
        tree.redraw()
        #expect(tree.lines == ["time 1", "state 2, plain 0"])
    }

    @Test func stateBelongsToAnIdentity() {
        let choice = Choice()
        let tree = Tree(ChosenCounters(choice: choice))
        tree.press(.character("+"))
        #expect(tree.lines == ["a: state 1"])
        choice.name = "b"
        tree.redraw()
        #expect(tree.lines == ["b: state 0"])
        choice.name = "a"
        tree.redraw()
        #expect(tree.lines == ["a: state 0"])
    }

    @Test func oneViewValueAtTwoPlacesIsReported() {
        let tree = Tree(Twins())
        #expect(tree.errors == [.usedTwice(view: "Counters", property: "count")])
    }
}

@Observable @MainActor private final class Clock {
    var time = 0
}

@Observable @MainActor private final class Choice {
    var name = "a"
}

@MainActor private final class PlainCounter {
    var count = 0
}

/// Evaluated with the clock, which makes a new value of the view inside it.
private struct Outer<Content: View>: View {
    let clock: Clock
    @ViewBuilder let content: () -> Content
    var body: some View {
        Text("time \(clock.time)")
        content()
    }
}

private struct Counters: View {
    @State private var count = 0
    private let plain = PlainCounter()
    var body: some View {
        Text("state \(count), plain \(plain.count)")
            .onKeyPress(.character("+")) {
                plain.count += 1
                count += 1
            }
    }
}

private struct ChosenCounters: View {
    let choice: Choice
    var body: some View { NamedCounter(name: choice.name).id(choice.name) }
}

private struct NamedCounter: View {
    let name: String
    @State private var count = 0
    var body: some View {
        Text("\(name): state \(count)").onKeyPress(.character("+")) { count += 1 }
    }
}

private struct Twins: View {
    var body: some View {
        let counters = Counters()
        VStack {
            counters
            counters
        }
    }
}
