import JSON
import SookeModel

/// A document. Reading it says what it is; what can be read is written and read again, and is the same then.
///
/// Where it is an object whose first key is the kind of a record, its value is read as that record too, as it would be
/// in the log.
func checkJSON(_ bytes: [UInt8]) {
    checkDocument(bytes)
    checkRecord(bytes)
}

private func checkDocument(_ bytes: [UInt8]) {
    let written = try? rewritten(bytes)
    let isSkipped = (try? skip(bytes)) != nil
    require((written != nil) == isSkipped, "reading and skipping differ")
    if (try? rewritten(bytes, limits: JSONLimits(depth: 4, keys: 3, stringBytes: 16))) != nil {
        require(written != nil, "narrower limits take more")
    }
    guard let written else { return }
    guard let again = try? rewritten(written) else {
        return require(false, "what was written cannot be read: \(String(decoding: written, as: UTF8.self))")
    }
    require(again == written, "what was read and written is not the same when that is done again")
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

/// Compares what is made of a number with what the standard library makes of it.
private func writeNumber(_ text: [UInt8], to writer: inout JSONWriter) {
    let digits = String(decoding: text, as: UTF8.self)
    var (forInt, forDouble) = (JSONReader(text), JSONReader(text))
    let integer = try? forInt.readInt()
    require(integer == Int(digits), "\(digits) is read as the integer \(integer.debugDescription)")
    let number = try? forDouble.readDouble()
    let expected = Double(digits).flatMap { $0.isFinite ? $0 : nil }
    require(
        number?.bitPattern == expected?.bitPattern, "\(digits) is read as the number \(number.debugDescription)")
    switch (integer, number) {
    case (let integer?, let number?) where integer != 0 || number.sign == .plus: writer.int(integer)
    case (_, let number?):
        // -0 is one of these: as an integer it would lose its sign.
        writer.double(number)
        var text: [UInt8] = []
        text.append(json: number)
        var reader = JSONReader(text)
        let again = try? reader.readDouble()
        require(again?.bitPattern == number.bitPattern, "\(digits) changes when it is written")
    case (_, nil): writer.raw(text)
    }
}
