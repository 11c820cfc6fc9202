/// Names a value that views pass to the views around them.
package protocol PreferenceKey {
    associatedtype Value: Equatable
    static var defaultValue: Value { get }
    static func reduce(value: inout Value, nextValue: () -> Value)
}

extension View {
    /// Passes a value to the views around this one, unless a view inside it sets one: the innermost value counts.
    package func preference<Key: PreferenceKey>(key: Key.Type, value: Key.Value) -> some View {
        Modified(
            content: self,
            rendering: { rendering, _ in
                if rendering.preferences[key] == nil { rendering.preferences[key] = value }
            })
    }

    /// Calls the action with the value that the views inside this one pass on, at first and after each change.
    package func onPreferenceChange<Key: PreferenceKey>(
        _ key: Key.Type, perform action: @escaping (Key.Value) -> Void
    ) -> some View {
        Modified(
            content: self,
            rendering: { rendering, node in
                let value = rendering.preferences[key] ?? Key.defaultValue
                if node.remember(value) != value { node.tree.perform { action(value) } }
            })
    }

    package func navigationTitle(_ title: String) -> some View {
        preference(key: NavigationTitleKey.self, value: title)
    }
}

/// The title of the innermost screen, the last one of several.
package enum NavigationTitleKey: PreferenceKey {
    package static var defaultValue: String { "" }
    package static func reduce(value: inout String, nextValue: () -> String) {
        value = nextValue()
    }
}

/// The values of all keys that a subtree sets.
@MainActor struct Preferences {
    private var values: [ObjectIdentifier: (value: Any, reduce: (_ value: Any, _ next: Any) -> Any)] = [:]

    subscript<Key: PreferenceKey>(key: Key.Type) -> Key.Value? {
        get { values[ObjectIdentifier(key)]?.value as? Key.Value }
        set {
            values[ObjectIdentifier(key)] = newValue.map { value in
                (
                    value,
                    { first, next in
                        guard var value = first as? Key.Value, let next = next as? Key.Value else { return first }
                        Key.reduce(value: &value) { next }
                        return value
                    }
                )
            }
        }
    }

    mutating func append(_ next: Preferences) {
        values.merge(next.values) { ($0.reduce($0.value, $1.value), $0.reduce) }
    }
}
