import Journal

extension Community {
    /// Hands on the document that a backup, an export and a seed file are, piece by piece.
    ///
    /// - Parameters:
    ///   - origin: what a backup says of the state it holds, and the highest numbers given and the private records
    ///     with it: it is a snapshot then. Nil leaves all of that out.
    ///   - pieceSize: how long a piece grows before it is handed on, in bytes.
    /// - Throws: what `output` throws.
    public func writeDocument<Failure: Error>(
        origin: CheckedDocument.Origin? = nil, pieceSize: Int = 1 << 16, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var document = CheckedDocumentWriter(origin: origin)
        try forEachLine(whole: origin != nil) { line throws(Failure) in
            document.append(line: line)
            if document.bytes.count >= pieceSize { try output(document.takeBytes()) }
        }
        document.finish()
        try output(document.takeBytes())
    }

    /// Whether the last line of a document that `writeDocument` wrote fits the lines before it.
    public static func isWholeDocument(_ bytes: [UInt8]) -> Bool {
        do {
            try CheckedDocument.read(bytes) { _ in }
            return true
        } catch {
            return false
        }
    }
}

extension Store {
    /// Hands on a backup of a version, piece by piece: the bytes that a snapshot of it has.
    ///
    /// - Throws: what `output` throws.
    public nonisolated func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let origin = CheckedDocument.Origin(store: identity, position: version.position, at: version.at)
        try version.community.writeDocument(origin: origin, to: output)
    }
}
