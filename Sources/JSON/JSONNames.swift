/// The keys of the open objects, to detect duplicates.
///
/// A few names are compared with each other in the document. An object with more of them, or with an escape in one,
/// gets a set, whose hash has a random seed per process, so that chosen names cannot make it slow.
struct JSONNames: Sendable {
    /// Names without escapes, those of the innermost object last.
    private var few: [JSONText] = []
    /// The sets of the open objects that have one, the innermost object's last.
    private var many: [(depth: Int, names: Set<Name>)] = []

    /// The index of the first name of an object that is entered now.
    var count: Int { few.count }

    /// Inserts a name of the innermost object, whose names begin at `first`; false for a duplicate.
    mutating func insert(_ name: JSONText, in bytes: [UInt8], first: Int, depth: Int) -> Bool {
        if many.last?.depth != depth {
            if !name.hasEscapes, few.count - first < 48 {
                guard !contains(name, in: bytes, first: first) else { return false }
                few.append(name)
                return true
            }
            many.append((depth, Set(few[first...].map { Name(bytes: $0.unescaped(in: bytes)) })))
        }
        return many[many.count - 1].names.insert(Name(bytes: name.unescaped(in: bytes))).inserted
    }

    mutating func leaveObject(first: Int, depth: Int) {
        if few.count > first { few.removeLast(few.count - first) }
        if many.last?.depth == depth { many.removeLast() }
    }

    private func contains(_ name: JSONText, in bytes: [UInt8], first: Int) -> Bool {
        few[first...].contains { other in
            guard other.count == name.count else { return false }
            for offset in 0..<name.count where bytes[other.start + offset] != bytes[name.start + offset] {
                return false
            }
            return true
        }
    }

    /// A name by its bytes: a `String` would also equal other encodings of the same characters.
    private struct Name: Hashable {
        let bytes: [UInt8]

        /// Hashes all bytes at once; an array would hash them one by one.
        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
