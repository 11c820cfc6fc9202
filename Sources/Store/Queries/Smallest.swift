/// The smallest of many elements: a page of a list that no index has in its order.
struct Smallest<Element: Comparable> {
    /// The most elements to find.
    private let limit: Int
    /// The smallest elements so far, and others that are removed when there are twice as many as wanted.
    private var elements: [Element] = []
    /// An element that is at least as large as all wanted ones; nil as long as there is room for any element.
    private(set) var bound: Element?

    /// No elements; later at most `limit`.
    init(_ limit: Int) {
        self.limit = limit
    }

    /// Inserts an element, unless there are enough smaller ones.
    mutating func insert(_ element: Element) {
        if let bound, bound <= element { return }
        elements.append(element)
        if elements.count >= 64, elements.count / 2 >= limit { removeLargest() }
    }

    /// The elements in ascending order.
    consuming func sorted() -> [Element] {
        removeLargest()
        return elements
    }

    private mutating func removeLargest() {
        elements.sort()
        if elements.count > limit { elements.removeLast(elements.count - limit) }
        if elements.count == limit { bound = elements.last }
    }
}
