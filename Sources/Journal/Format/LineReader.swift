import Bytes

/// Reads a file line by line, in pieces, so that a large file is never in memory as a whole.
struct LineReader {
    /// A line without its line feed.
    struct Line {
        let bytes: ArraySlice<UInt8>
        /// Whether a line feed follows it; only the last line of a file may lack one.
        let isEnded: Bool
        /// The offset of its first byte.
        let offset: Int
        /// Its number, from 1.
        let number: Int

        /// The offset after it and its line feed.
        var end: Int { offset + bytes.count + (isEnded ? 1 : 0) }
    }

    private let file: any OpenFile
    private let chunkBytes: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var bufferOffset: Int
    private var number: Int
    private var isAtEnd = false

    /// Reads from an offset, where a line with this number begins.
    init(_ file: any OpenFile, offset: Int = 0, number: Int = 1, chunkBytes: Int = 256 << 10) {
        (self.file, self.chunkBytes, bufferOffset, self.number) = (file, chunkBytes, offset, number)
    }

    /// The next line, or nil at the end of the file.
    mutating func next() throws(FileSystemError) -> Line? {
        var searched = position
        while true {
            if let lineFeed = buffer.firstIndex(of: ASCII.lineFeed, from: searched) {
                defer { position = lineFeed + 1 }
                return line(to: lineFeed, isEnded: true)
            }
            searched = buffer.count - position
            guard try fill() else { break }
        }
        guard position < buffer.count else { return nil }
        defer { position = buffer.count }
        return line(to: buffer.count, isEnded: false)
    }

    private mutating func line(to end: Int, isEnded: Bool) -> Line {
        defer { number += 1 }
        return Line(
            bytes: buffer[position..<end], isEnded: isEnded, offset: bufferOffset + position, number: number)
    }

    /// Discards the lines that were read and reads on; false at the end of the file.
    ///
    /// A line that is longer than a piece is read in increasing pieces, so that the cost is linear in its length.
    private mutating func fill() throws(FileSystemError) -> Bool {
        guard !isAtEnd else { return false }
        let kept = buffer[position...]
        let wanted = max(chunkBytes, kept.count)
        let read = try file.read(at: bufferOffset + buffer.count, count: wanted)
        isAtEnd = read.count < wanted
        bufferOffset += position
        buffer = kept.isEmpty ? read : kept + read
        position = 0
        return !read.isEmpty
    }
}
