/// Finds the end of each response on one connection. A response must state its length, as all that are measured do.
struct ResponseReader {
    enum Outcome {
        case needsMore
        case complete
        case malformed
    }

    private(set) var status = 0
    private(set) var staysOpen = true
    private var head: [UInt8] = []
    /// How much of the body has not come yet; nil before the head has ended.
    private var missing: Int?

    private static let longestHead = 1 << 16

    mutating func reset() {
        head.removeAll(keepingCapacity: true)
        missing = nil
    }

    mutating func receive(_ input: ArraySlice<UInt8>) -> Outcome {
        if let missing {
            self.missing = missing - input.count
        } else {
            head += input
            guard let end = endOfHead() else { return head.count > Self.longestHead ? .malformed : .needsMore }
            guard let length = readHead(end) else { return .malformed }
            missing = length - (head.count - end)
        }
        guard let missing, missing <= 0 else { return .needsMore }
        return missing == 0 ? .complete : .malformed
    }

    private func endOfHead() -> Int? {
        var offset = 3
        while offset < head.count {
            if head[offset] == 10, head[offset - 1] == 13, head[offset - 2] == 10 { return offset + 1 }
            offset += 1
        }
        return nil
    }

    /// Reads the status and the two fields that matter; gives the length of the body.
    private mutating func readHead(_ end: Int) -> Int? {
        guard end > 15, head.starts(with: "HTTP/1.".utf8), let status = decimal(from: 9) else { return nil }
        (self.status, staysOpen) = (status, true)
        var length = status == 204 || status == 304 ? 0 : nil as Int?
        for offset in 0..<end where head[offset] == 10 {
            if hasField("content-length: ", at: offset + 1) { length = decimal(from: offset + 17) }
            if hasField("connection: close", at: offset + 1) { staysOpen = false }
        }
        return 100...599 ~= status ? length : nil
    }

    /// Whether a line begins with some lower-case text, ignoring case.
    private func hasField(_ text: StaticString, at start: Int) -> Bool {
        guard start + text.utf8CodeUnitCount <= head.count else { return false }
        return text.withUTF8Buffer { text in text.indices.allSatisfy { head[start + $0] | 0x20 == text[$0] } }
    }

    private func decimal(from start: Int) -> Int? {
        var (offset, number) = (start, 0)
        while offset < head.count, 48...57 ~= head[offset], number < 1 << 50 {
            number = number * 10 + Int(head[offset] - 48)
            offset += 1
        }
        return offset > start ? number : nil
    }
}
