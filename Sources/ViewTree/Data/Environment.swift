import Observation

/// Reads what a view around this one put into the environment.
@MainActor @propertyWrapper public struct Environment<Value>: DynamicProperty {
    private let read: (EnvironmentValues) -> Value?
    private let link = Link<EnvironmentValues>()

    /// Reads the value of a key, or its default.
    public init(_ key: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: key] }
    }

    /// Reads the object of a type. Without one, the tree reports `TreeError.missingObject` instead of the view.
    public init(_ type: Value.Type) where Value: AnyObject & Observable {
        read = { $0[type] }
    }

    /// Reads the object of a type, or nil.
    public init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
        read = { $0[type] }
    }

    /// The value for this view. A key has its default before the view is in the tree, an object has none: reading it in
    /// an initializer ends the program.
    public var wrappedValue: Value {
        guard let value = read(link.use() ?? EnvironmentValues()) else {
            fatalError("@Environment(\(Value.self).self) is read before its view is in the tree")
        }
        return value
    }

    func install(_ name: String, in node: Node, environment: EnvironmentValues) -> [TreeError] {
        var errors = link.install(environment, name, in: node)
        if !isAvailable(in: environment) {
            errors.append(.missingObject(view: node.name, property: name, type: "\(Value.self)"))
        }
        return errors
    }

    func isAvailable(in environment: EnvironmentValues) -> Bool {
        read(environment) != nil
    }
}
