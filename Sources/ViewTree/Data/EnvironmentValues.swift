import Observation

package protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// The values that a view passes to all views inside it: an object for each type, a value for each key.
package struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    /// The rows by which PageUp and PageDown move in a list.
    package var rowsOfPage = 10
    /// Whether controls take keys.
    package var isEnabled = true
    /// Whether the view is offered keys before the others.
    package var isFocused = false
    package var dismiss = DismissAction {}

    package init() {}

    package subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Nil if no view around this one set it.
    package subscript<Object: AnyObject & Observable>(type: Object.Type) -> Object? {
        get { values[ObjectIdentifier(type)] as? Object }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}

extension View {
    /// Passes an object to the views inside this one, which read it by its type.
    package func environment<Object: AnyObject & Observable>(_ object: Object) -> some View {
        Modified(content: self, environmentChange: { $0[Object.self] = object })
    }

    package func environment<Value>(_ key: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        Modified(content: self, environmentChange: { $0[keyPath: key] = value })
    }

    /// Disables the controls inside this view. They stay disabled if a view inside enables them.
    package func disabled(_ isDisabled: Bool) -> some View {
        Modified(content: self, environmentChange: { $0.isEnabled = $0.isEnabled && !isDisabled })
    }

    package func focused(_ isFocused: Bool) -> some View {
        environment(\.isFocused, isFocused)
    }
}

@MainActor @propertyWrapper package struct Environment<Value>: DynamicProperty {
    private let read: (EnvironmentValues) -> Value?
    private let link = Link<EnvironmentValues>()

    package init(_ key: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: key] }
    }

    /// Reads the object of a type. Without one, the tree reports `TreeError.missingObject` instead of the view.
    package init(_ type: Value.Type) where Value: AnyObject & Observable {
        read = { $0[type] }
    }

    package init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
        read = { $0[type] }
    }

    /// The value for this view. A key has its default before the view is in the tree, an object has none: reading it in
    /// an initializer ends the program.
    package var wrappedValue: Value {
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
