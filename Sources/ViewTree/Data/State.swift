import Observation

/// A value that a view owns. It is stored in the tree under the identity of the view, is created when the view appears,
/// and is discarded when it leaves.
@MainActor @propertyWrapper package struct State<Value>: DynamicProperty {
    private let initial: () -> Value
    private let link = Link<Location<Value>>()

    /// The initial value is evaluated once for each identity of the view.
    package init(wrappedValue: @autoclosure @escaping () -> Value) {
        initial = wrappedValue
    }

    package var wrappedValue: Value {
        get {
            guard let location = link.use() else { return initial() }
            return location.value
        }
        nonmutating set { link.use()?.value = newValue }
    }

    package var projectedValue: Binding<Value> {
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

@Observable @MainActor final class Location<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

@MainActor protocol DynamicProperty {
    func install(_ name: String, in node: Node, environment: EnvironmentValues) -> [TreeError]
    func isAvailable(in environment: EnvironmentValues) -> Bool
}

extension DynamicProperty {
    func isAvailable(in environment: EnvironmentValues) -> Bool { true }
}

/// Connects all copies of one property wrapper with what the tree stores for it.
@MainActor final class Link<Target> {
    private var target: Target?
    private weak var owner: Node?
    private var wasUsedEarly = false

    /// The target; nil before the view is in the tree, which is reported as soon as it is.
    func use() -> Target? {
        if target == nil { wasUsedEarly = true }
        return target
    }

    func install(_ target: Target, _ name: String, in node: Node) -> [TreeError] {
        var errors: [TreeError] = []
        if wasUsedEarly { errors.append(.usedBeforeInstalled(view: node.name, property: name)) }
        if let owner, owner !== node, owner.pass == node.pass {
            errors.append(.usedTwice(view: node.name, property: name))
        }
        self.target = target
        owner = node
        return errors
    }
}
