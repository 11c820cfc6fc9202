/// The containers in which a `JSONWriter` is: at most 127 objects and arrays inside one another.
///
/// Two words, because `UInt128` does not exist on the oldest systems of the client.
struct JSONContainers {
    /// A bit for each container, the innermost lowest, below a leading 1: 1 for an object, 0 for an array.
    private var (high, low): (UInt64, UInt64) = (0, 1)

    @inline(__always)
    var isEmpty: Bool { low == 1 && high == 0 }

    @inline(__always)
    var isFull: Bool { high >> 63 == 1 }

    @inline(__always)
    var isObject: Bool { low & 1 == 1 }

    @inline(__always)
    mutating func push(isObject: Bool) {
        high = high << 1 | low >> 63
        low = low << 1 | (isObject ? 1 : 0)
    }

    @inline(__always)
    mutating func pop() {
        low = low >> 1 | high << 63
        high >>= 1
    }
}
