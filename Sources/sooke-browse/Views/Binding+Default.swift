import ViewTree

extension Binding {
    /// A binding whose value is another one while there is none: the first row is selected until a person selects one.
    func or<Wrapped>(_ other: Wrapped?) -> Binding where Value == Wrapped? {
        Binding {
            wrappedValue ?? other
        } set: {
            wrappedValue = $0
        }
    }

    /// A binding without a value on a condition: what is shown beside its list is not shown above it.
    func unless<Wrapped>(_ condition: Bool) -> Binding where Value == Wrapped? {
        Binding {
            condition ? nil : wrappedValue
        } set: {
            wrappedValue = $0
        }
    }
}
