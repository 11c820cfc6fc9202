extension String {
    /// Calls `body` with the UTF-8 bytes of the string.
    ///
    /// The iterator of the view takes several nanoseconds per byte, the buffer less than one.
    func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}
