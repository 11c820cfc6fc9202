/// A view for each element, identified by the ID of the element: its state follows the element to another position.
public struct ForEach<Element, ID: Hashable>: Primitive {
    private let elements: [Element]
    private let id: KeyPath<Element, ID>
    private let content: (Element) -> any View

    /// Creates views for values that are their own IDs, or have them in a property.
    public init(
        _ elements: [Element], id: KeyPath<Element, ID>, @ViewBuilder content: @escaping (Element) -> some View
    ) {
        self.elements = elements
        self.id = id
        self.content = content
    }

    /// Creates views for elements with IDs.
    public init(_ elements: [Element], @ViewBuilder content: @escaping (Element) -> some View)
    where Element: Identifiable, ID == Element.ID {
        self.init(elements, id: \.id, content: content)
    }

    /// Creates views that edit the elements. Each binding follows the ID of its element.
    public init(_ elements: Binding<[Element]>, @ViewBuilder content: @escaping (Binding<Element>) -> some View)
    where Element: Identifiable, ID == Element.ID {
        self.init(elements.wrappedValue, id: \.id) { content(elements.element($0.id, last: $0)) }
    }

    static var isObserving: Bool { true }

    var children: [Child] {
        elements.map { Child(.explicit($0[keyPath: id]), content($0)) }
    }
}
