/// Rows of which one can be selected. The selection is an ID: it stays with its element when the order changes, and no
/// row is selected while the element is not there. The arrow keys move it, and PageUp, PageDown, Home and End.
///
/// Only rows near the selected one are evaluated, more than a screen has: lists can be long.
package struct List<Element: Identifiable, Row: View>: View {
    private let elements: [Element]
    private let selection: Binding<Element.ID?>
    private let row: (Element) -> Row
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.rowsOfPage) private var page

    package init(_ elements: [Element], selection: Binding<Element.ID?>, @ViewBuilder row: @escaping (Element) -> Row) {
        self.elements = elements
        self.selection = selection
        self.row = row
    }

    package var body: some View {
        let ids = elements.map(\.id)
        let selected = ids.firstIndex { $0 == selection.wrappedValue }
        let near = Self.rows(near: selected ?? 0, of: ids.count, page)
        let rows = ForEach(Array(elements[near])) { element in
            Modified(
                content: row(element),
                rendering: { rendering, _ in
                    if rendering.content.count != 1 { rendering.content = [.vertical(rendering.content)] }
                })
        }
        Modified(
            content: rows,
            rendering: { rendering, _ in
                let above = [Content](repeating: .spacer, count: near.lowerBound)
                let below = [Content](repeating: .spacer, count: ids.count - near.upperBound)
                rendering.content = [.list(above + rendering.content + below, selected: selected)]
            }
        )
        .onKeyPress { key in
            guard isEnabled, !ids.isEmpty, let next = row(after: selected, ids.count, key) else {
                return .ignored
            }
            selection.wrappedValue = ids[min(max(next, 0), ids.count - 1)]
            return .handled
        }
    }

    private static func rows(near row: Int, of count: Int, _ page: Int) -> Range<Int> {
        let distance = 2 * page + 40
        return max(0, row - distance)..<min(count, row + distance)
    }

    /// The row that a key selects, which may be out of range; nil for other keys.
    private func row(after selected: Int?, _ count: Int, _ key: Key) -> Int? {
        switch key {
        case .up: selected.map { $0 - 1 } ?? 0
        case .down: selected.map { $0 + 1 } ?? 0
        case .pageUp: (selected ?? 0) - page
        case .pageDown: (selected ?? 0) + page
        case .home: 0
        case .end: count - 1
        default: nil
        }
    }
}

/// A view for each element, identified by the ID of the element: its state follows the element to another position.
package struct ForEach<Element, ID: Hashable>: Primitive {
    private let elements: [Element]
    private let id: KeyPath<Element, ID>
    private let content: (Element) -> any View

    package init(
        _ elements: [Element], id: KeyPath<Element, ID>, @ViewBuilder content: @escaping (Element) -> some View
    ) {
        self.elements = elements
        self.id = id
        self.content = content
    }

    package init(_ elements: [Element], @ViewBuilder content: @escaping (Element) -> some View)
    where Element: Identifiable, ID == Element.ID {
        self.init(elements, id: \.id, content: content)
    }

    /// Creates views that edit the elements. Each binding follows the ID of its element.
    package init(_ elements: Binding<[Element]>, @ViewBuilder content: @escaping (Binding<Element>) -> some View)
    where Element: Identifiable, ID == Element.ID {
        self.init(elements.wrappedValue, id: \.id) { content(elements.element($0.id, last: $0)) }
    }

    static var isObserving: Bool { true }

    var children: [Child] {
        elements.map { Child(.explicit($0[keyPath: id]), content($0)) }
    }
}
