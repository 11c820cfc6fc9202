import CSystem

/// Decompression of gzip by zlib, to compare what a client would see.
public enum Gunzip {
    /// The bytes that one member was made from; nil when it is damaged, cut off or followed by something.
    public static func decompress(_ compressed: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 16 beyond the window: the header must be that of gzip.
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var (input, output) = (compressed, [UInt8]())
        var part = [UInt8](repeating: 0, count: 64 << 10)
        return input.withUnsafeMutableBufferPointer { input in
            (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
            while true {
                let (status, count) = part.withUnsafeMutableBufferPointer { part in
                    (stream.next_out, stream.avail_out) = (part.baseAddress, UInt32(part.count))
                    return (inflate(&stream, Z_NO_FLUSH), part.count - Int(stream.avail_out))
                }
                output += part[..<count]
                if status == Z_STREAM_END { return stream.avail_in == 0 ? output : nil }
                guard status == Z_OK else { return nil }
            }
        }
    }
}
