/// A queue that serves networks in turn: one network with many elements does not delay the others.
///
/// When it is full, a new element displaces the last one of the network with the most elements, unless its own network
/// has as many. So no network can fill the queue at the expense of others.
package struct FairQueue<Element: Sendable>: Sendable {
    private struct Line: Sendable {
        let network: [UInt8]
        var elements: [Element]
    }

    package enum Outcome {
        case added
        case displaced(Element)
        case refused
    }

    private let limit: Int
    private let limitPerNetwork: Int
    /// The networks with waiting elements, in the order of their turns. None is empty.
    private var lines: [Line] = []
    package private(set) var count = 0

    package init(limit: Int, limitPerNetwork: Int) {
        (self.limit, self.limitPerNetwork) = (limit, limitPerNetwork)
    }

    package var isEmpty: Bool { lines.isEmpty }

    package mutating func append(_ element: Element, of network: [UInt8]) -> Outcome {
        let own = lines.firstIndex { $0.network == network }
        let ownCount = own.map { lines[$0].elements.count } ?? 0
        guard ownCount < limitPerNetwork else { return .refused }
        var displaced: Element?
        if count >= limit {
            guard let longest = lines.indices.max(by: { lines[$0].elements.count < lines[$1].elements.count }),
                lines[longest].elements.count > ownCount + 1
            else { return .refused }
            // It has at least two, so its line is not empty afterwards.
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

    /// Removes the oldest element of the network whose turn it is; that network moves to the end.
    package mutating func popFirst() -> Element? {
        guard !lines.isEmpty else { return nil }
        var line = lines.removeFirst()
        let element = line.elements.removeFirst()
        if !line.elements.isEmpty { lines.append(line) }
        count -= 1
        return element
    }

    package mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
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
