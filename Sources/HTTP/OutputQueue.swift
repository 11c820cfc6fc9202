/// What a connection still has to send, in order.
///
/// Heads and small bodies are put together in one array, so that a pipeline of answers leaves in one write; a large
/// body stays the array it is.
struct OutputQueue {
    /// Bytes that have not been sent.
    private(set) var count = 0
    private var front: [UInt8] = []
    private var offset = 0
    private var rest: [[UInt8]] = []

    var isEmpty: Bool { count == 0 }

    /// From this size on a body is not copied: one more system call costs less.
    static let largeBody = 64 * 1024

    /// Appends bytes with `write`, which only appends to the array it is given.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        if rest.isEmpty {
            count -= front.count
            write(&front)
            count += front.count
        } else {
            let last = rest.count - 1
            count -= rest[last].count
            write(&rest[last])
            count += rest[last].count
        }
    }

    /// Appends a body.
    mutating func append(body: consuming [UInt8]) {
        guard body.count >= Self.largeBody else {
            append { [body] in $0.append(contentsOf: body) }
            return
        }
        count += body.count
        rest.append(body)
        rest.append([])
    }

    /// Offers the first bytes to `send`, which returns how many it took or a negative number, and forgets those.
    ///
    /// `send` is given the bytes and whether more of them follow.
    mutating func sendFirst(_ send: (UnsafeRawBufferPointer, Bool) -> Int) -> (offered: Int, sent: Int) {
        while offset == front.count, !rest.isEmpty {
            front = rest.removeFirst()
            offset = 0
        }
        let offered = front.count - offset
        let sent = front.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[offset...]), count > offered) }
        if sent > 0 {
            offset += sent
            count -= sent
            if count == 0 { reset() }
        }
        return (offered, sent)
    }

    /// Forgets everything.
    mutating func reset() {
        front.removeAll(keepingCapacity: true)
        rest = []
        (offset, count) = (0, 0)
    }

    /// While nothing waits: takes the array `other` to work with, when it has none of its own.
    mutating func borrowStorage(_ other: inout [UInt8]) {
        guard isEmpty, front.capacity == 0 else { return }
        swap(&front, &other)
    }

    /// While nothing waits: gives its array to `other`, so that an idle connection holds none. One that grew too
    /// large is given up.
    mutating func returnStorage(_ other: inout [UInt8]) {
        guard isEmpty, front.capacity > 0 else { return }
        if other.capacity == 0, front.capacity <= Self.largestKept { swap(&front, &other) } else { front = [] }
    }

    private static let largestKept = 1024 * 1024
}
