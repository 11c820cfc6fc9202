extension Array {
    /// Sorts by a number; what has the same keeps its order. Costs O(n).
    ///
    /// A byte of the number after the other, from the lowest (Knuth, "The Art of Computer Programming", volume 3, 5.2.5).
    @inlinable
    public mutating func radixSort(by number: (Element) -> UInt64) {
        var sorted = self
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var places = [Int](repeating: 0, count: 256)
            for element in self { places[Int(number(element) &>> shift & 0xFF)] += 1 }
            if places.contains(count) { continue }
            var next = 0
            for digit in places.indices { (places[digit], next) = (next, next + places[digit]) }
            for element in self {
                let digit = Int(number(element) &>> shift & 0xFF)
                sorted[places[digit]] = element
                places[digit] += 1
            }
            swap(&self, &sorted)
        }
    }
}
