/// Why a piece of text is not what it was scanned as, and at which offset: what becomes a `JSONError`.
struct JSONFault: Error {
    let message: StaticString
    let offset: Int

    init(_ message: StaticString, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
