import CSystem

/// Compression with gzip (RFC 1952), by zlib.
package enum Gzip {
    /// 15 bits of window, and 16 for the header of gzip instead of that of zlib.
    private static let windowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8

    /// As fast as zlib can; nil without memory for it.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let status = deflateInit2_(
            &stream, Z_BEST_SPEED, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK, bytes.count <= UInt32.max else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(bytes.count)))
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            let compressed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
            return compressed.isEmpty ? nil : compressed
        }
    }
}
