import Observation

/// A value that a view owns. It is stored in the tree under the identity of the view, is created when the view appears,
/// and is discarded when it leaves.
@MainActor @propertyWrapper public struct State<Value>: DynamicProperty {
    private let initial: () -> Value
    private let link = Link<Location<Value>>()

    /// Creates a state. The initial value is evaluated once for each identity of the view.
    public init(wrappedValue: @autoclosure @escaping () -> Value) {
        initial = wrappedValue
    }

    /// The stored value.
    public var wrappedValue: Value {
        get {
            guard let location = link.use() else { return initial() }
            return location.value
        }
        nonmutating set { link.use()?.value = newValue }
    }

    /// A binding to the stored value.
    public var projectedValue: Binding<Value> {
        Binding {
            wrappedValue
        } set: {
            wrappedValue = $0
        }
    }

    func install(_ name: String, in node: Node, environment: EnvironmentValues) -> [TreeError] {
        link.install(node.location(name, initial: initial), name, in: node)
    }
}

/// Where a state is stored.
@Observable @MainActor final class Location<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
