import Observation

/// Reads and writes a value that something else owns.
@MainActor @propertyWrapper @dynamicMemberLookup package struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    package init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    package var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    package var projectedValue: Binding<Value> { self }

    package subscript<Field>(dynamicMember field: WritableKeyPath<Value, Field>) -> Binding<Field> {
        Binding<Field> {
            wrappedValue[keyPath: field]
        } set: {
            var value = wrappedValue
            value[keyPath: field] = $0
            wrappedValue = value
        }
    }

    /// A binding to a property of the object, which changes no reference to the object.
    package subscript<Field>(dynamicMember property: ReferenceWritableKeyPath<Value, Field>) -> Binding<Field> {
        Binding<Field> {
            wrappedValue[keyPath: property]
        } set: {
            wrappedValue[keyPath: property] = $0
        }
    }

    /// A binding to the element with an ID, wherever it is in the collection. It reads `last` and changes nothing after
    /// the element is gone.
    package func element<Element: Identifiable>(_ id: Element.ID, last: Element) -> Binding<Element>
    where Value == [Element] {
        Binding<Element> {
            wrappedValue.first { $0.id == id } ?? last
        } set: { element in
            guard let index = wrappedValue.firstIndex(where: { $0.id == id }) else { return }
            wrappedValue[index] = element
        }
    }
}

@MainActor @propertyWrapper @dynamicMemberLookup package struct Bindable<Object: AnyObject & Observable> {
    package let wrappedValue: Object

    package init(wrappedValue: Object) {
        self.wrappedValue = wrappedValue
    }

    package var projectedValue: Bindable<Object> { self }

    package subscript<Field>(dynamicMember property: ReferenceWritableKeyPath<Object, Field>) -> Binding<Field> {
        Binding {
            wrappedValue
        } set: { _ in
        }[dynamicMember: property]
    }
}
