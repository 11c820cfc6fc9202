import CSystem
import Glibc

/// The two calls of libcrypt (crypt(3), crypt_gensalt(3)) for yescrypt, with memory that is wiped after use.
package enum Crypt {
    /// `crypt_r` accepts 512 bytes with the final NUL.
    package static let phraseLimit = Int(CRYPT_MAX_PASSPHRASE_SIZE) - 1

    /// The beginning of a new hash: method, cost and salt.
    package static func setting(method: String, cost: Int, salt: [UInt8]) throws(SystemError) -> String {
        var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let made = salt.withUnsafeBytes { salt in
            crypt_gensalt_rn(
                method, UInt(cost), salt.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(salt.count), &output, Int32(output.count))
        }
        guard made != nil else { throw .last }
        return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `setting` may also be another hash. The phrase contains no NUL and is not longer than `phraseLimit`.
    package static func hash(_ phrase: [UInt8], setting: String) throws(SystemError) -> [UInt8] {
        // 32 KiB: too large for the stack of a thread that other code created.
        let size = MemoryLayout<crypt_data>.size
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
        memset(memory, 0, size)
        defer {
            explicit_bzero(memory, size)
            memory.deallocate()
        }
        let data = memory.bindMemory(to: crypt_data.self, capacity: 1)
        // The structure has a field for the phrase, where it is wiped with everything else.
        guard let place = MemoryLayout<crypt_data>.offset(of: \.input), phrase.count <= phraseLimit
        else { throw SystemError(code: ERANGE) }
        UnsafeMutableRawBufferPointer(start: memory + place, count: phraseLimit).copyBytes(from: phrase)
        let input = (memory + place).assumingMemoryBound(to: CChar.self)
        // An error is a text that begins with `*`, or null, depending on the build of the library.
        guard let output = crypt_r(input, setting, data), output.pointee != CChar(UInt8(ascii: "*"))
        else { throw .last }
        return Array(UnsafeRawBufferPointer(start: output, count: strlen(output)))
    }
}

/// gzip (RFC 1952), by zlib.
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

/// Raw DEFLATE (RFC 1951), as in ZIP archives, by zlib.
package enum Deflate {
    /// Nil unless it unpacks to exactly so many bytes. Memory for them is in use only as far as they are written.
    package static func unpack(_ packed: ArraySlice<UInt8>, to count: Int) -> [UInt8]? {
        var stream = z_stream()
        guard packed.count <= UInt32.max, count <= UInt32.max,
            inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var isWhole = false
        let unpacked = packed.withUnsafeBufferPointer { input in
            // zlib only reads it.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(input.count)
            // With a byte of room zlib comes to the end of nothing, too.
            return [UInt8](unsafeUninitializedCapacity: count + 1) { output, filled in
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END
                filled = Int(stream.total_out)
            }
        }
        return isWhole && unpacked.count == count ? unpacked : nil
    }

    /// CRC-32, which ZIP archives have of each file.
    package static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: crc32_z(0, bytes.baseAddress, bytes.count))
        }
    }
}
