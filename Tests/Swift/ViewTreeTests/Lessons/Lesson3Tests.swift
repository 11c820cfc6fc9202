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

    @Test func threePickersEditEachTheirFieldOfOneValue() {
        let model = OrderModel()
        let tree = Tree(OrderView(model: model))
        #expect(tree.lines == ["[small] large", "[coffee] tea cocoa", "[here] away", "small coffee here"])
        tree.press(.character("2"))
        tree.press(.character("2"))
        tree.press(.character("3"))
        #expect(model.order == Order(size: .small, drink: .cocoa, place: .away))
        #expect(tree.lines == ["[small] large", "coffee tea [cocoa]", "here [away]", "small cocoa away"])
        model.order.size = .large
        tree.redraw()
        #expect(tree.lines.first == "small [large]")
    }

    @Test func aNumberStaysInItsRangeAndItsTextFollows() {
        let tree = Tree(Volume())
        var seen: [[String]] = []
        for key in [Key.right, .right, .right, .left, .left, .left, .left] {
            tree.press(key)
            seen.append(tree.lines)
        }
        #expect(seen.map(\.first) == ["92", "100", "100", "58", "16", "0", "0"])
        #expect(seen.allSatisfy { $0.first == $0.last })
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

private struct Order: Equatable {
    enum Size: String, CaseIterable { case small, large }
    enum Drink: String, CaseIterable { case coffee, tea, cocoa }
    enum Place: String, CaseIterable { case here, away }

    var size = Size.small
    var drink = Drink.coffee
    var place = Place.here
}

@Observable @MainActor private final class OrderModel {
    var order = Order()
}

private struct OrderView: View {
    @Bindable var model: OrderModel
    var body: some View {
        Picker(selection: $model.order.size, key: .character("1"))
        Picker(selection: $model.order.drink, key: .character("2"))
        Picker(selection: $model.order.place, key: .character("3"))
        Text("\(model.order.size) \(model.order.drink) \(model.order.place)")
    }
}

/// Chooses the next case at each press of its key.
private struct Picker<Value: CaseIterable & Hashable & RawRepresentable<String> & Sendable>: View {
    @Binding var selection: Value
    let key: Key
    var body: some View {
        let cases = Array(Value.allCases)
        HStack {
            ForEach(cases, id: \.self) { Text($0 == selection ? "[\($0.rawValue)]" : $0.rawValue) }
        }
        .onKeyPress(key) {
            guard let index = cases.firstIndex(of: selection) else { return }
            selection = cases[(index + 1) % cases.count]
        }
    }
}

private struct Volume: View {
    @State private var volume = 50.4
    var body: some View {
        Text("\(Int(volume.rounded()))")
        Slider(value: $volume, in: 0...100)
    }
}

private struct Slider: View {
    @Binding private var value: Double
    private let range: ClosedRange<Double>

    init(value: Binding<Double>, in range: ClosedRange<Double>) {
        _value = value
        self.range = range
    }

    var body: some View {
        Text("\(Int(value.rounded()))")
            .onKeyPress(.right) { step(by: 42) }
            .onKeyPress(.left) { step(by: -42) }
    }

    private func step(by step: Double) {
        value = min(max(value + step, range.lowerBound), range.upperBound)
    }
}
