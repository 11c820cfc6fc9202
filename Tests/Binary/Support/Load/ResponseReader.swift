/// Finds the end of each response on one connection. A response must state its length, as all that are measured do.
struct ResponseReader {
    enum Outcome {
        case needsMore, complete, malformed
    }

    private(set) var status = 0
    private(set) var staysOpen = true
    private var head: [UInt8] = []
    /// How much of the body has not come yet; nil before the head has ended.
    private var missing: Int?

    mutating func reset() {
        head.removeAll(keepingCapacity: true)
        missing = nil
    }

    mutating func receive(_ input: ArraySlice<UInt8>) -> Outcome {
        if let missing {
            self.missing = missing - input.count
        } else {
            head += input
            let end = (3..<max(3, head.count)).first { head[$0] == 10 && head[$0 - 1] == 13 && head[$0 - 2] == 10 }
            guard let end else { return head.count > 1 << 16 ? .malformed : .needsMore }
            guard let length = readHead(end + 1) else { return .malformed }
            missing = length - (head.count - end - 1)
        }
        guard let missing, missing <= 0 else { return .needsMore }
        return missing == 0 ? .complete : .malformed
    }

    /// Reads the status and the two fields that matter; gives the length of the body.
    private mutating func readHead(_ end: Int) -> Int? {
        guard head.starts(with: "HTTP/1.".utf8), let status = decimal(from: 9) else { return nil }
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
        let digits = head.dropFirst(start).prefix(15).prefix { 48...57 ~= $0 }
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}
