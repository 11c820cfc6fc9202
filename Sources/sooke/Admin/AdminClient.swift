import API
import Bytes
import Dispatcher
import HTTP
import Platform

/// A client of the server on a data folder, through the unix socket in the folder. One connection carries one request.
struct AdminClient: ~Copyable {
    static let socketName = "admin.sock"

    private(set) var status = 0
    private let socket: UnixSocket
    private let path: String
    /// Nil for the socket of `sooke outside`.
    private let folder: FolderIdentity?
    /// The error of the command if the response is missing or incomplete.
    private var ending = CommandError(.unavailable, "no request was sent")
    private var input: [UInt8] = []
    private var offset = 0
    private var isChunked = false
    /// How much is left of the body, or of its chunk; nil before the next chunk.
    private var rest: Int? = 0

    private static let lineLimit = 16 << 10
    /// How much of a body is sent between two updates of the progress.
    private static let pieceSize = 1 << 20

    /// Nil when no server runs; throws when one may be running but cannot be reached or trusted.
    static func connect(to folder: String) throws(CommandError) -> AdminClient? {
        let path = "\(folder)/\(socketName)"
        try FolderOwner.requirePrivate(folder)
        let socket: UnixSocket
        let (identity, owner): (FolderIdentity, UInt32)
        do throws(SystemError) {
            identity = try FolderIdentity(folder)
            owner = try FileDescriptor.workingFolder.status(of: folder).user
            socket = try UnixSocket(folder: folder, name: socketName)
        } catch {
            if error.isMissing || error.isRefused { return nil }
            if error.isForbidden {
                throw CommandError(.notPermitted, "may not open \(path); run this as the user that runs the server")
            }
            throw CommandError(.inputOutput, "cannot connect to \(path): \(error)")
        }
        let server = socket.listeningUser
        guard [0, owner, UserIdentity.current].contains(server) else {
            throw CommandError(
                .notPermitted,
                "\(path) is served by user \(server), who is neither root nor the owner of the folder, so nothing was "
                    + "sent to it. Find out what that process is, and who can write to \(folder)")
        }
        return AdminClient(socket: socket, path: path, folder: identity)
    }

    static func connect(toOutside path: String) throws(CommandError) -> AdminClient {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let socket = try CommandError.mapped("cannot connect to the server at \(path)", .unavailable) {
            try UnixSocket(folder: String(path.dropLast(name.utf8.count)) + ".", name: name)
        }
        return AdminClient(socket: socket, path: path, folder: nil)
    }

    private init(socket: consuming UnixSocket, path: String, folder: FolderIdentity?) {
        self.socket = socket
        (self.path, self.folder) = (path, folder)
    }

    /// Sends the request and waits for the head of the response. An early response ends the sending.
    mutating func send(_ call: AdminCall) throws(CommandError) {
        let isWhole = try transmit(call)
        ending =
            if !isWhole {
                CommandError(
                    .unavailable, "the server at \(path) stopped before it had the whole request; nothing was changed")
            } else if let doubt = call.doubt {
                CommandError(.unanswered, "the server stopped before it answered; \(doubt)")
            } else {
                CommandError(.unavailable, "the server at \(path) stopped before it answered")
            }
        let line = try line()
        guard line.hasPrefix("HTTP/1.1 "), let status = Int(line.dropFirst(9).prefix(3)) else {
            throw incomprehensible("it does not speak HTTP")
        }
        self.status = status
        try readFields()
    }

    /// Whether the other side has received all of it.
    private func transmit(_ call: AdminCall) throws(CommandError) -> Bool {
        var head: [UInt8] = []
        head.append(call.method.name)
        head.append(utf8: " \(call.target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
        if let folder { head.append(utf8: "\(AllowedHosts.folderField): \(folder)\r\n") }
        if !call.body.isEmpty {
            head.append(utf8: "Content-Type: \(call.bodyType)\r\nContent-Length: \(call.body.count)\r\n")
        }
        for (name, value) in call.versionField { head.append(utf8: "\(name): \(value)\r\n") }
        head.append("\r\n")
        do throws(SystemError) {
            guard try socket.send(head) else { return false }
            var rest = call.body[...]
            while !rest.isEmpty {
                call.progress?.isSending(call.body.count - rest.count, of: call.body.count)
                guard try socket.send(Array(rest.prefix(Self.pieceSize))) else { return false }
                rest = rest.dropFirst(Self.pieceSize)
            }
        } catch {
            throw CommandError(.inputOutput, "cannot write to \(path): \(error)")
        }
        call.progress?.hasSent()
        return true
    }

    // MARK: - The response as the server writes it (RFC 9112): its length is stated, or it comes in chunks

    private mutating func readFields() throws(CommandError) {
        while true {
            let field = try line()
            if field.isEmpty { return }
            if field == "Transfer-Encoding: chunked" { (isChunked, rest) = (true, nil) }
            guard field.hasPrefix("Content-Length: ") else { continue }
            guard let length = Int(field.dropFirst("Content-Length: ".count)), length >= 0 else {
                throw incomprehensible("the length of its response is not a number")
            }
            rest = length
        }
    }

    mutating func next() throws(CommandError) -> [UInt8]? {
        if rest == nil {
            guard let size = Int(try line(), radix: 16), size >= 0 else {
                throw incomprehensible("the size of a chunk is not a number")
            }
            rest = size
        }
        guard let rest, rest > 0 else { return nil }
        if offset == input.count { try read() }
        let part = input[offset...].prefix(rest)
        offset = part.endIndex
        self.rest = rest - part.count
        if isChunked, part.count == rest {
            _ = try line()
            self.rest = nil
        }
        return Array(part)
    }

    /// The rest of the body, truncated to `limit` bytes.
    mutating func body(limit: Int = 1 << 30) throws(CommandError) -> [UInt8] {
        var body: [UInt8] = []
        while body.count < limit, let bytes = try next() { body += bytes }
        return Array(body.prefix(limit))
    }

    private mutating func line() throws(CommandError) -> String {
        var line: [UInt8] = []
        while true {
            if offset == input.count { try read() }
            let part = input[offset...].prefix { $0 != ASCII.lineFeed }
            line += part
            offset = part.endIndex
            guard line.count <= Self.lineLimit else { throw incomprehensible("a line of it is too long") }
            guard offset < input.count else { continue }
            offset += 1
            if line.last == ASCII.carriageReturn { line.removeLast() }
            return String(decoding: line, as: UTF8.self)
        }
    }

    private mutating func read() throws(CommandError) {
        do throws(SystemError) {
            input = try socket.descriptor.read(upTo: 64 << 10)
            offset = 0
        } catch {
            if error.isBrokenPipe { throw ending }
            throw CommandError(.inputOutput, "cannot read from \(path): \(error)")
        }
        if input.isEmpty { throw ending }
    }

    private func incomprehensible(_ reason: String) -> CommandError {
        CommandError(.unavailable, "the server at \(path) cannot be understood: \(reason)")
    }
}

/// The identity of the folder at a path, regardless of its name: its device and inode. See `AllowedHosts`.
struct FolderIdentity: Sendable, Equatable, CustomStringConvertible {
    /// `DEVICE:INODE` in decimal digits.
    let description: String

    init(_ path: String) throws(SystemError) {
        let identity = try FileDescriptor.workingFolder.status(of: path).identity
        description = "\(identity.device):\(identity.number)"
    }
}
