import Observation
import Testing
import ViewTree

/// What a body reads is what redraws it.
@MainActor @Suite struct Lesson1Tests {
    @Test func aParentThatReadsNothingIsNotEvaluatedForItsChild() {
        let person = Person()
        let tree = Tree(PassingParent(person: person))
        person.first = "Grace"
        tree.redraw()
        #expect(tree.lines == ["Grace Lovelace", "36"])
        #expect(tree.invalidated == ["FullName"])
        person.age = 37
        tree.redraw()
        #expect(tree.lines == ["Grace Lovelace", "37"])
        #expect(tree.invalidated == ["Age"])
    }

    @Test func anOldObservationEndsWithTheNextEvaluation() {
        let person = Person()
        let choice = Choice()
        let tree = Tree(ChoosingParent(person: person, choice: choice))
        choice.isFirst = false
        tree.redraw()
        #expect(tree.lines == ["Lovelace"])
        person.first = "Grace"
        tree.redraw()
        #expect(tree.invalidated.isEmpty)
    }

    @Test func changesOfOneTurnLeadToOneRedrawByItself() async {
        let person = Person()
        var screens = 0
        let tree = Tree(FullName(person: person)) { _ in screens += 1 }
        person.first = "Grace"
        person.last = "Hopper"
        #expect(tree.lines == ["Ada Lovelace"])
        await tree.turns { tree.lines == ["Grace Hopper"] }
        #expect(screens == 2)
    }
}

@Observable @MainActor private final class Person {
    var first = "Ada"
    var last = "Lovelace"
    var age = 36
    var fullName: String { "\(first) \(last)" }
}

@Observable @MainActor private final class Choice {
    var isFirst = true
}

private struct PassingParent: View {
    let person: Person
    var body: some View {
        FullName(person: person)
        Age(person: person)
    }
}

private struct FullName: View {
    let person: Person
    var body: some View { Text(person.fullName) }
}

private struct Age: View {
    let person: Person
    var body: some View { Text("\(person.age)") }
}

private struct ChoosingParent: View {
    let person: Person
    let choice: Choice
    var body: some View { ChosenName(person: person, isFirst: choice.isFirst) }
}

private struct ChosenName: View {
    let person: Person
    let isFirst: Bool
    var body: some View { Text(isFirst ? person.first : person.last) }
}
