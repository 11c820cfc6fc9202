/// The answer of a running server: its head is there, its body comes as it is asked for.
struct LocalResponse: ~Copyable {
    /// The status code.
    let status: Int
    /// The media type of the body; empty when the server names none.
    let contentType: String

    private let socket: LocalSocket
    private let path: String
    private var reader: LocalResponseReader

    var isSuccess: Bool { 200...299 ~= status }

    /// Waits for the head of the answer.
    init(socket: consuming LocalSocket, path: String) throws(CommandError) {
        var reader = LocalResponseReader()
        guard case .head(let head) = try Self.event(&reader, socket.descriptor, path) else {
            throw CommandError(.unavailable, "the server at \(path) gave no answer")
        }
        status = head.status
        contentType = head.contentType
        self.socket = socket
        self.path = path
        self.reader = reader
    }

    /// The next bytes of the body; nil at its end.
    mutating func next() throws(CommandError) -> [UInt8]? {
        guard case .body(let bytes) = try Self.event(&reader, socket.descriptor, path) else { return nil }
        return bytes
    }

    /// The rest of the body. One that is longer than `limit` bytes is cut there.
    mutating func body(limit: Int = 1 << 20) throws(CommandError) -> [UInt8] {
        var body: [UInt8] = []
        while body.count < limit, let bytes = try next() { body += bytes }
        return Array(body.prefix(limit))
    }

    private static func event(
        _ reader: inout LocalResponseReader, _ descriptor: FileDescriptor, _ path: String
    ) throws(CommandError) -> LocalResponseReader.Event {
        while true {
            let event: LocalResponseReader.Event
            do {
                event = try reader.next()
            } catch {
                throw CommandError(.unavailable, "the server at \(path) cannot be understood: \(error)")
            }
            guard event == .needsMore else { return event }
            do {
                let bytes = try descriptor.read(upTo: 64 << 10)
                if bytes.isEmpty { reader.close() } else { reader.feed(bytes) }
            } catch {
                throw CommandError(.inputOutput, "cannot read from \(path): \(error)")
            }
        }
    }
}
