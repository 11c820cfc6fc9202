import Bytes

extension Timestamp {
    /// Reads RFC 3339 in the value of a parameter, where the plus sign of an offset that was not encoded is a space.
    init?(query text: String) {
        self.init(rfc3339: text.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
    }
}
