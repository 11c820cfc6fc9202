import Bytes
import FuzzSupport

@testable import Journal

/// A file of a data folder. Its first byte says which: a segment of the log, a document such as a snapshot, or a
/// manifest; in capitals the bytes are the file itself, else `FileBuilder` makes one of them whose checksums are right,
/// which chance would never find.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput.bytes(start, count)
    guard let kind = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    switch kind {
    case UInt8(ascii: "S"): checkSegment(rest)
    case UInt8(ascii: "s"): checkSegment(FileBuilder.segment(rest))
    case UInt8(ascii: "D"): checkDocument(rest)
    case UInt8(ascii: "d"): checkDocument(FileBuilder.document(rest))
    case UInt8(ascii: "M"): checkManifest(rest)
    case UInt8(ascii: "m"): checkManifest(FileBuilder.document(rest))
    default: break
    }
    return 0
}

/// A document that proves itself is the same in pieces of any size, and can be written again.
private func checkDocument(_ bytes: [UInt8]) {
    checkLines(bytes)
    var lines: [[UInt8]] = []
    guard let origin = try? CheckedDocument.read(bytes, line: { lines.append(Array($0)) }) else { return }
    var writer = CheckedDocumentWriter(origin: origin)
    for line in lines { writer.append(line: line) }
    writer.finish()
    let written = writer.takeBytes()
    var again: [[UInt8]] = []
    let second = try? CheckedDocument.read(written) { again.append(Array($0)) }
    FuzzInput.require(second == origin && again == lines, "a document changes when it is written")
}

private func checkManifest(_ bytes: [UInt8]) {
    guard let manifest = try? Manifest(bytes) else { return }
    FuzzInput.require((try? Manifest(manifest.bytes)) == manifest, "a manifest changes when it is written")
}

/// The lines of a file are the same in pieces of any size, and make up the file.
func checkLines(_ bytes: [UInt8]) {
    let file = FolderFile(MemoryFile(bytes), in: "folder")
    var (large, small) = (LineReader(file), LineReader(file, chunkBytes: 3))
    var end = 0
    while let line = try? large.next() {
        let same = try? small.next()
        FuzzInput.require(
            same?.bytes == line.bytes && same?.offset == line.offset && same?.isEnded == line.isEnded,
            "a line depends on how the file is read")
        FuzzInput.require(line.offset == end, "the lines do not make up the file")
        end = line.end
    }
    FuzzInput.require(end == bytes.count && (try? small.next()) == nil, "the lines do not make up the file")
}
