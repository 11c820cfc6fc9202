/// The smallest of many elements: a page of a list that no index has in its order.
struct Smallest<Element: Comparable> {
    /// The most elements to find.
    private let limit: Int
    /// At most `limit` elements, the largest one first.
    private var heap = Heap<Reversed>()

    /// No elements; later at most `limit`.
    init(_ limit: Int) {
        self.limit = limit
    }

    /// Whether there are as many elements as wanted.
    var isFull: Bool { heap.count >= limit }

    /// The largest of the smallest elements so far.
    var largest: Element? { heap.first?.element }

    /// Inserts an element, unless there are enough smaller ones.
    mutating func insert(_ element: Element) {
        if !isFull {
            heap.insert(Reversed(element: element))
        } else if let largest, element < largest {
            heap.replaceFirst(with: Reversed(element: element))
        }
    }

    /// The elements in ascending order.
    func sorted() -> [Element] { heap.elements.map(\.element).sorted() }

    private struct Reversed: Comparable {
        let element: Element

        static func < (left: Reversed, right: Reversed) -> Bool { right.element < left.element }
        static func == (left: Reversed, right: Reversed) -> Bool { left.element == right.element }
    }
}

/// A binary heap with the smallest element first (Williams, "Algorithm 232", CACM 7:6, 1964).
struct Heap<Element: Comparable> {
    /// Each element is at most as large as the two at twice its index plus one and plus two.
    private(set) var elements: [Element] = []

    /// The number of elements.
    var count: Int { elements.count }

    /// The smallest element.
    var first: Element? { elements.first }

    /// Inserts an element.
    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0, element < elements[(index - 1) / 2] {
            elements[index] = elements[(index - 1) / 2]
            index = (index - 1) / 2
        }
        elements[index] = element
    }

    /// Removes the smallest element and returns it.
    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        replaceFirst(with: last)
        return first
    }

    /// Replaces the smallest element. The heap is not empty.
    mutating func replaceFirst(with element: Element) {
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < element else { break }
            elements[index] = elements[child]
            index = child
        }
        elements[index] = element
    }
}
