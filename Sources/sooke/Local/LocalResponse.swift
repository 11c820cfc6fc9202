/// The answer of a running server: its head is there, its body comes as it is asked for.
struct LocalResponse: ~Copyable {
    /// The status code.
    let status: Int
    /// The media type of the body; empty when the server names none.
    let contentType: String

    private let socket: LocalSocket
    private let path: String
    private var reader: ResponseReader
    /// What was read last, and how much of it the reader has taken.
    private var input: [UInt8]
    private var offset: Int

    var isSuccess: Bool { 200...299 ~= status }

    /// Waits for the head of the answer.
    init(socket: consuming LocalSocket, path: String) throws(CommandError) {
        var reader = ResponseReader()
        var input: [UInt8] = []
        var offset = 0
        guard case .head = try Self.event(&reader, &input, &offset, socket.descriptor, path) else {
            throw CommandError(.unavailable, "the server at \(path) gave no answer")
        }
        status = reader.status
        contentType = String(decoding: reader.contentType, as: UTF8.self)
        self.socket = socket
        self.path = path
        (self.reader, self.input, self.offset) = (reader, input, offset)
    }

    /// The next bytes of the body; nil at its end.
    mutating func next() throws(CommandError) -> [UInt8]? {
        guard case .body(let part) = try Self.event(&reader, &input, &offset, socket.descriptor, path) else {
            return nil
        }
        return part == input.indices ? input : Array(input[part])
    }

    /// The rest of the body. One that is longer than `limit` bytes is cut there.
    mutating func body(limit: Int = 1 << 20) throws(CommandError) -> [UInt8] {
        var body: [UInt8] = []
        while body.count < limit, let bytes = try next() { body += bytes }
        return Array(body.prefix(limit))
    }

    private static func event(
        _ reader: inout ResponseReader, _ input: inout [UInt8], _ offset: inout Int, _ descriptor: FileDescriptor,
        _ path: String
    ) throws(CommandError) -> ResponseReader.Event {
        while true {
            let event: ResponseReader.Event
            do {
                event = try reader.next(input.span, &offset)
            } catch {
                throw CommandError(.unavailable, "the server at \(path) cannot be understood: \(error)")
            }
            guard event == .needsMore else { return event }
            do {
                input = try descriptor.read(upTo: 64 << 10)
                offset = 0
                if input.isEmpty { reader.close() }
            } catch {
                throw CommandError(.inputOutput, "cannot read from \(path): \(error)")
            }
        }
    }
}
