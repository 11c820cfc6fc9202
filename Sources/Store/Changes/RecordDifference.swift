import JSON

/// What a record was before a change, as the log has it: `was`.
enum RecordDifference {
    /// The members of a record that a change makes others, with their values before; null for one that was not there.
    ///
    /// - Parameters:
    ///   - before: the record before the change, in the dataset form.
    ///   - after: the record after it.
    static func members(of before: [UInt8], otherThanIn after: [UInt8]) -> [UInt8] {
        let (old, new) = (members(of: before), members(of: after))
        var writer = JSONWriter()
        writer.beginObject()
        for (index, member) in old.enumerated() where value(of: member.name, at: index, in: new) != member.value {
            writer.key(member.name)
            writer.raw(member.value)
        }
        for (index, member) in new.enumerated() where value(of: member.name, at: index, in: old) == nil {
            writer.key(member.name)
            writer.null()
        }
        writer.endObject()
        return writer.bytes
    }

    private typealias Member = (name: String, value: ArraySlice<UInt8>)

    /// The value of a member, which mostly stands at the same place in both.
    private static func value(of name: String, at index: Int, in members: [Member]) -> ArraySlice<UInt8>? {
        if index < members.count, members[index].name == name { return members[index].value }
        return members.first { $0.name == name }?.value
    }

    private static func members(of record: [UInt8]) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(20)
        do {
            var reader = JSONReader(record, limits: .trusted)
            try reader.beginObject()
            while let name = try reader.nextKey() { members.append((name, try reader.readRawSlice())) }
        } catch {
            preconditionFailure("a record that was encoded cannot be read: \(error)")
        }
        return members
    }
}
