import Platform

/// The answer of a running server: its head is there, its body comes as it is asked for.
struct AdminResponse: ~Copyable {
    /// The status code.
    let status: Int
    /// The media type of the body; empty when the server names none.
    let contentType: String

    private let socket: UnixSocket
    private let path: String
    /// How the command ends when the answer does not come, or not whole.
    private let ending: CommandError
    private var reader: ResponseReader
    /// What was read last, and how much of it the reader has taken.
    private var input: [UInt8]
    private var offset: Int

    var isSuccess: Bool { 200...299 ~= status }

    /// Waits for the head of the answer.
    ///
    /// - Parameter ending: how the command ends when the answer does not come, or not whole.
    init(socket: consuming UnixSocket, path: String, ending: CommandError) throws(CommandError) {
        var reader = ResponseReader()
        var input: [UInt8] = []
        var offset = 0
        guard case .head = try Self.event(&reader, &input, &offset, socket.descriptor, path, ending) else {
            throw ending
        }
        status = reader.status
        contentType = String(decoding: reader.contentType, as: UTF8.self)
        self.socket = socket
        (self.path, self.ending) = (path, ending)
        (self.reader, self.input, self.offset) = (reader, input, offset)
    }

    /// The next bytes of the body; nil at its end.
    mutating func next() throws(CommandError) -> [UInt8]? {
        guard case .body(let part) = try Self.event(&reader, &input, &offset, socket.descriptor, path, ending)
        else {
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
        _ path: String, _ ending: CommandError
    ) throws(CommandError) -> ResponseReader.Event {
        var hasEnded = false
        while true {
            let event: ResponseReader.Event
            do {
                event = try reader.next(input.span, &offset)
            } catch {
                if hasEnded { throw ending }
                throw CommandError(.unavailable, "the server at \(path) cannot be understood: \(error)")
            }
            guard event == .needsMore else { return event }
            do {
                input = try descriptor.read(upTo: 64 << 10)
                offset = 0
                if input.isEmpty {
                    hasEnded = true
                    reader.close()
                }
            } catch {
                if error.isBrokenPipe { throw ending }
                throw CommandError(.inputOutput, "cannot read from \(path): \(error)")
            }
        }
    }
}
