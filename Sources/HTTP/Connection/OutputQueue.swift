/// The unsent output of a connection, in order.
///
/// Heads and small bodies are joined in one array, so that a pipeline of responses is sent in one write. A body at the
/// end is not copied but sent from its own array, in the same write; when another response follows it is copied after
/// all, unless it is large.
struct OutputQueue {
    /// The unsent bytes.
    private(set) var count = 0
    private var front: [UInt8] = []
    /// The number of sent bytes of `front`.
    private var offset = 0
    /// The body after `front`, which was not copied.
    private var body: [UInt8] = []
    /// What follows `body`.
    private var rest: [[UInt8]] = []

    var isEmpty: Bool { count == 0 }

    /// Up to this size copying a body costs less than passing a second buffer to the system.
    static let smallBody = 4 * 1024
    /// From this size on a body is never copied.
    static let largeBody = 64 * 1024

    /// Appends bytes with `write`, which only appends to its array.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        if rest.isEmpty, body.count < Self.largeBody {
            if !body.isEmpty {
                front.append(contentsOf: body)
                body = []
            }
            count -= front.count
            write(&front)
            count += front.count
        } else {
            if rest.isEmpty { rest.append([]) }
            let last = rest.count - 1
            count -= rest[last].count
            write(&rest[last])
            count += rest[last].count
        }
    }

    /// Appends a body, after a head.
    mutating func append(body newBody: consuming [UInt8]) {
        let size = newBody.count
        if rest.isEmpty, body.isEmpty, size > Self.smallBody {
            body = newBody
            count += size
        } else if size < Self.largeBody {
            append { [newBody] in $0.append(contentsOf: newBody) }
        } else {
            rest.append(newBody)
            rest.append([])
            count += size
        }
    }

    /// Passes the first bytes to `send`, which returns how many it sent or a negative number, and removes those.
    mutating func sendFirst(
        _ send: (_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, _ moreFollows: Bool) -> Int
    ) -> (offered: Int, sent: Int) {
        let offered = front.count - offset + body.count
        let sent = front.withUnsafeBytes { front in
            body.withUnsafeBytes { body in
                send(UnsafeRawBufferPointer(rebasing: front[offset...]), body, count > offered)
            }
        }
        if sent > 0 { forget(sent) }
        return (offered, sent)
    }

    private mutating func forget(_ sent: Int) {
        count -= sent
        offset += sent
        guard count > 0 else { return reset() }
        while offset >= front.count, !body.isEmpty || !rest.isEmpty {
            offset -= front.count
            if body.isEmpty { front = rest.removeFirst() } else { front = body }
            body = []
        }
    }

    /// Removes everything.
    mutating func reset() {
        front.removeAll(keepingCapacity: true)
        if !body.isEmpty { body = [] }
        if !rest.isEmpty { rest = [] }
        (offset, count) = (0, 0)
    }

    /// When the queue is empty: takes the array `other`, if it has none of its own.
    mutating func borrowStorage(_ other: inout [UInt8]) {
        if isEmpty, front.capacity == 0 { swap(&front, &other) }
    }

    /// When the queue is empty: returns its array to `other`, so that an idle connection occupies no memory. An array
    /// that has grown too large is released.
    mutating func returnStorage(_ other: inout [UInt8]) {
        guard isEmpty, front.capacity > 0 else { return }
        if other.capacity == 0, front.capacity <= Self.largestKept { swap(&front, &other) } else { front = [] }
    }

    private static let largestKept = 1024 * 1024
}
