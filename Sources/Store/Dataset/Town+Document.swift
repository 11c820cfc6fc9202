import Journal

extension Town {
    /// Writes the document that a backup, an export and a seed file consist of, in pieces.
    ///
    /// - Parameters:
    ///   - origin: the origin of a backup, which then also has the highest IDs and the private records, and is a
    ///     snapshot; nil for an export.
    ///   - pieceSize: the size of a piece, in bytes.
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

    /// Whether the last line of a document that `writeDocument` wrote matches the lines before it.
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
    /// Writes a backup of a version in pieces: the same bytes as its snapshot.
    ///
    /// - Throws: what `output` throws.
    public nonisolated func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let origin = CheckedDocument.Origin(
            store: identity, position: version.position, at: version.time.at, wall: version.time.wall)
        try version.town.writeDocument(origin: origin, to: output)
    }
}
