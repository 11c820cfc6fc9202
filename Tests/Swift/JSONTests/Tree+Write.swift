import JSON

extension Tree {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .string(let value): writer.string(value)
        case .int(let value): writer.int(value)
        case .double(let value): writer.double(value)
        case .bool(let value): writer.bool(value)
        case .null: writer.null()
        }
    }

    var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
