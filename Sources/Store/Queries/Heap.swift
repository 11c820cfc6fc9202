/// A binary heap with the smallest element first (Williams, "Algorithm 232", CACM 7:6, 1964).
struct Heap<Element: Comparable & Sendable>: Sendable {
    /// Each element is at most as large as the two at twice its index plus one and plus two.
    private var elements: [Element] = []

    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0, element < elements[(index - 1) / 2] {
            elements[index] = elements[(index - 1) / 2]
            index = (index - 1) / 2
        }
        elements[index] = element
    }

    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < last else { break }
            elements[index] = elements[child]
            index = child
        }
        elements[index] = last
        return first
    }
}
