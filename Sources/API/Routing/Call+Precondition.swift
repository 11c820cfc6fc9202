import HTTP

extension Call {
    /// Makes sure that the client has seen the record as it is (`If-Match`; RFC 9110, section 13.1.1).
    ///
    /// To be called inside the transaction: of two who have seen the same, one is first, and the other is told.
    ///
    /// - Parameter representation: the body that a read of the record has now; made only for a request that asks.
    /// - Throws: 412 `precondition_failed`.
    func requireMatch(_ representation: @autoclosure () -> [UInt8]) throws(HTTPError) {
        let fields = request.headers.all("if-match")
        if fields.isEmpty || fields.contains(where: { $0.elementsEqual("*".utf8) }) { return }
        let tag = EntityTag(of: representation())
        guard fields.contains(where: tag.isListedStrongly(in:)) else {
            throw HTTPError(
                .preconditionFailed, code: "precondition_failed",
                message: "it has been changed since you read it; read it again")
        }
    }
}
