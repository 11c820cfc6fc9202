import Observation

/// Names a value of the environment.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no view sets one.
    static var defaultValue: Value { get }
}

/// The values that a view passes to all views inside it: an object for each type, a value for each key.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Creates an environment of defaults.
    public init() {}

    /// The value of a key, or its default.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// The object of a type, if a view around this one set it.
    public subscript<Object: AnyObject & Observable>(type: Object.Type) -> Object? {
        get { values[ObjectIdentifier(type)] as? Object }
        set { values[ObjectIdentifier(type)] = newValue }
    }
}

extension EnvironmentValues {
    private enum IsEnabledKey: EnvironmentKey {
        static var defaultValue: Bool { true }
    }

    private enum IsFocusedKey: EnvironmentKey {
        static var defaultValue: Bool { false }
    }

    private enum RowsOfPageKey: EnvironmentKey {
        static var defaultValue: Int { 10 }
    }

    /// The rows by which PageUp and PageDown move in a list.
    public var rowsOfPage: Int {
        get { self[RowsOfPageKey.self] }
        set { self[RowsOfPageKey.self] = newValue }
    }

    /// Whether controls take keys.
    public var isEnabled: Bool {
        get { self[IsEnabledKey.self] }
        set { self[IsEnabledKey.self] = newValue }
    }

    /// Whether the view is offered keys before the others.
    public var isFocused: Bool {
        get { self[IsFocusedKey.self] }
        set { self[IsFocusedKey.self] = newValue }
    }
}

extension View {
    /// Passes an object to the views inside this one, which read it by its type.
    public func environment<Object: AnyObject & Observable>(_ object: Object) -> some View {
        EnvironmentModifier(content: self) { $0[Object.self] = object }
    }

    /// Passes a value to the views inside this one, which read it by its key.
    public func environment<Value>(_ key: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        EnvironmentModifier(content: self) { $0[keyPath: key] = value }
    }

    /// Disables the controls inside this view. They stay disabled if a view inside enables them.
    public func disabled(_ isDisabled: Bool) -> some View {
        EnvironmentModifier(content: self) { $0.isEnabled = $0.isEnabled && !isDisabled }
    }

    /// Offers keys to the views inside this one first.
    public func focused(_ isFocused: Bool) -> some View {
        environment(\.isFocused, isFocused)
    }
}

struct EnvironmentModifier<Content: View>: Modifier {
    let content: Content
    let change: (inout EnvironmentValues) -> Void

    func environment(_ inherited: EnvironmentValues) -> EnvironmentValues {
        var environment = inherited
        change(&environment)
        return environment
    }
}
