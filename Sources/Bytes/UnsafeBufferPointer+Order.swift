extension UnsafeBufferPointer<UInt8> {
    /// A number below, equal to or above zero, when these bytes come before, are equal to, or come after others.
    ///
    /// Eight bytes are compared at a time, as big-endian numbers: the trees of texts spend their time here.
    @inlinable
    public func bytewiseOrder(to other: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = Swift.min(count, other.count)
        guard shared > 0, let left = baseAddress.map(UnsafeRawPointer.init),
            let right = other.baseAddress.map(UnsafeRawPointer.init)
        else { return count - other.count }
        var place = 0
        while place <= shared &- 8 {
            let order = Self.order(left, right, place, as: UInt64.self)
            if order != 0 { return order }
            place += 8
        }
        if place < shared, shared >= 8 {
            // The last eight bytes overlap the words before them.
            let order = Self.order(left, right, shared - 8, as: UInt64.self)
            return order != 0 ? order : count - other.count
        }
        while place < shared {
            let order = Self.order(left, right, place, as: UInt8.self)
            if order != 0 { return order }
            place += 1
        }
        return count - other.count
    }

    @inlinable
    @inline(__always)
    static func order<Word: FixedWidthInteger & BitwiseCopyable>(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ place: Int, as type: Word.Type
    ) -> Int {
        let one = (left + place).loadUnaligned(as: type).bigEndian
        let other = (right + place).loadUnaligned(as: type).bigEndian
        return one == other ? 0 : one < other ? -1 : 1
    }
}
