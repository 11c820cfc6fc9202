import JSON

/// Selects members of an object that is JSON already.
struct MemberFilter: Sendable {
    /// The names of the selected members, or of those that are left out.
    let names: Set<String>
    let isExclusive: Bool

    /// These members.
    static func only(_ names: Set<String>) -> MemberFilter { MemberFilter(names: names, isExclusive: false) }

    /// All but these members.
    static func without(_ names: Set<String>) -> MemberFilter { MemberFilter(names: names, isExclusive: true) }

    /// The object with the selected members, in their order.
    func apply(to object: [UInt8]) -> [UInt8] {
        var result = [UInt8]("{")
        result.reserveCapacity(object.count)
        do {
            var reader = JSONReader(object, limits: .trusted)
            try reader.beginObject()
            while let name = try reader.nextKey() {
                if names.contains(name) == isExclusive {
                    try reader.skipValue()
                    continue
                }
                if result.count > 1 { result.append(",") }
                result.append(json: name)
                result.append(":")
                result.append(contentsOf: try reader.readRawSlice())
            }
        } catch {
            preconditionFailure("an object of the server is not JSON: \(error)")
        }
        result.append("}")
        return result
    }
}
