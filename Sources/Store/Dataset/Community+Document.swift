import Journal

extension Community {
    /// Hands on the document that an export and a seed file are, piece by piece: that of a snapshot, without what only
    /// a snapshot has.
    ///
    /// - Parameter pieceSize: how long a piece grows before it is handed on, in bytes.
    /// - Throws: what `output` throws.
    public func writeDocument<Failure: Error>(
        pieceSize: Int, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var document = CheckedDocumentWriter()
        try forEachLine(withNumbers: false) { line throws(Failure) in
            document.append(line: line)
            if document.bytes.count >= pieceSize { try output(document.takeBytes()) }
        }
        document.finish()
        try output(document.takeBytes())
    }
}
