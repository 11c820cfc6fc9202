/// Elements that wait in order, by networks in turn: one network that brings many does not delay the others.
///
/// When it is full, a newcomer displaces the last element of the network that has the most, unless its own has as many.
/// So no network can fill it up against the others.
struct FairQueue<Element: Sendable>: Sendable {
    private struct Line: Sendable {
        let network: [UInt8]
        var elements: [Element]
    }

    /// What became of an element that was added.
    enum Outcome {
        /// It waits.
        case added
        /// It waits, in the place of one that another network brought.
        case displaced(Element)
        /// There is no place for it.
        case refused
    }

    private let limit: Int
    private let limitPerNetwork: Int
    /// The networks that wait, in the order in which they have their turns. None is empty.
    private var lines: [Line] = []
    private(set) var count = 0

    /// At most `limit` elements wait, and at most `limitPerNetwork` of one network.
    init(limit: Int, limitPerNetwork: Int) {
        (self.limit, self.limitPerNetwork) = (limit, limitPerNetwork)
    }

    /// Whether nothing waits.
    var isEmpty: Bool { lines.isEmpty }

    /// Adds an element of a network at the end.
    mutating func append(_ element: Element, of network: [UInt8]) -> Outcome {
        let own = lines.firstIndex { $0.network == network }
        let ownCount = own.map { lines[$0].elements.count } ?? 0
        guard ownCount < limitPerNetwork else { return .refused }
        var displaced: Element?
        if count >= limit {
            guard let longest = lines.indices.max(by: { lines[$0].elements.count < lines[$1].elements.count }),
                lines[longest].elements.count > ownCount + 1
            else { return .refused }
            // It has two at least, so that its line stays.
            displaced = lines[longest].elements.removeLast()
            count -= 1
        }
        if let own {
            lines[own].elements.append(element)
        } else {
            lines.append(Line(network: network, elements: [element]))
        }
        count += 1
        return displaced.map(Outcome.displaced) ?? .added
    }

    /// Takes the oldest element of the network whose turn it is, which then has its next turn after all others.
    mutating func popFirst() -> Element? {
        guard !lines.isEmpty else { return nil }
        var line = lines.removeFirst()
        let element = line.elements.removeFirst()
        if !line.elements.isEmpty { lines.append(line) }
        count -= 1
        return element
    }

    /// Removes the first element that fulfils a condition.
    mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in lines.indices {
            guard let place = lines[index].elements.firstIndex(where: isMeant) else { continue }
            let element = lines[index].elements.remove(at: place)
            if lines[index].elements.isEmpty { lines.remove(at: index) }
            count -= 1
            return element
        }
        return nil
    }
}
