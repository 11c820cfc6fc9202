import JSON

/// A document. Reading it and skipping it say the same; what can be read is written and read again, and is the same then.
func checkJSON(_ bytes: [UInt8]) {
    let written = try? rewritten(bytes)
    require((written != nil) == ((try? skip(bytes)) != nil), "reading and skipping differ")
    if (try? rewritten(bytes, limits: JSONLimits(depth: 4, keys: 3, stringBytes: 16))) != nil {
        require(written != nil, "narrower limits take more")
    }
    guard let written else { return }
    let again = try? rewritten(written)
    require(again == written, "what was read and written is another document when that is done again")
}

private func skip(_ bytes: [UInt8]) throws(JSONError) {
    var reader = JSONReader(bytes)
    try reader.skipValue()
    try reader.finish()
}

private func rewritten(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> [UInt8] {
    var reader = JSONReader(bytes, limits: limits)
    var writer = JSONWriter()
    try copy(&reader, to: &writer)
    try reader.finish()
    return writer.bytes
}

/// Reads the next value of any kind, and writes it.
private func copy(_ reader: inout JSONReader, to writer: inout JSONWriter) throws(JSONError) {
    switch try reader.peek() {
    case .object:
        try reader.beginObject()
        writer.beginObject()
        while let key = try reader.nextKey() {
            writer.key(key)
            try copy(&reader, to: &writer)
        }
        writer.endObject()
    case .array:
        try reader.beginArray()
        writer.beginArray()
        while try reader.nextElement() { try copy(&reader, to: &writer) }
        writer.endArray()
    case .string: writer.string(try reader.readString())
    case .number: writeNumber(try reader.readRaw(), to: &writer)
    case .bool: writer.bool(try reader.readBool())
    case .null:
        _ = try reader.readNull()
        writer.null()
    }
}

/// A number is what the standard library makes of it.
private func writeNumber(_ text: [UInt8], to writer: inout JSONWriter) {
    let digits = String(decoding: text, as: UTF8.self)
    var (forInt, forDouble) = (JSONReader(text), JSONReader(text))
    let (integer, number) = (try? forInt.readInt(), try? forDouble.readDouble())
    require(integer == Int(digits), "\(digits) is read as the integer \(integer.debugDescription)")
    let expected = Double(digits).flatMap { $0.isFinite ? $0 : nil }
    require(number?.bitPattern == expected?.bitPattern, "\(digits) is read as the number \(number.debugDescription)")
    writer.raw(text)
}
