import Bytes
import Platform

/// The response of a running server: the head has been read, the body is read on demand.
struct AdminResponse: ~Copyable {
    let status: Int
    /// The media type of the body; empty when the server states none.
    let contentType: String

    private let socket: UnixSocket
    private let path: String
    /// The error of the command if the response is missing or incomplete.
    private let ending: CommandError
    private var reader: ResponseReader
    /// The last input, and the number of bytes that the reader has consumed.
    private var input: [UInt8]
    private var offset: Int

    var isSuccess: Bool { 200...299 ~= status }

    /// Waits for the head of the response.
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

    /// The rest of the body, truncated to `limit` bytes.
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
