import Platform

/// A request to the administration of a running server.
struct AdminRequest {
    /// `GET`, or `POST` for changes.
    let method: StaticString
    /// Path and query.
    let target: String
    /// The media type that the response should have; nil for any.
    var accepted: StaticString?
    /// The body, if there is one.
    var body: AdminBody?
    /// The advice for the user when the server received the whole request and stopped before it responded; nil when the
    /// request changes nothing.
    var doubt: String?
}

/// A body that is read while it is sent, so that it may have any size.
struct AdminBody {
    /// The media type.
    let type: StaticString
    /// The next bytes; none at the end.
    let next: () throws(CommandError) -> [UInt8]

    /// A body that is in memory.
    static func bytes(_ bytes: [UInt8], type: StaticString) -> AdminBody {
        var rest = [bytes]
        return AdminBody(type: type) { rest.popLast() ?? [] }
    }

    /// A file from its current position to its end.
    ///
    /// - Parameter name: the name of the file in errors.
    static func file(_ file: FileDescriptor, named name: String, type: StaticString) -> AdminBody {
        AdminBody(type: type) { () throws(CommandError) in
            do {
                return try file.read(upTo: 64 << 10)
            } catch {
                throw CommandError(.inputOutput, "cannot read \(name): \(error)")
            }
        }
    }
}
