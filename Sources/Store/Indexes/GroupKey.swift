/// The key of a record in its group, such as the businesses of one owner.
struct GroupKey: Comparable, Sendable {
    let group: Int
    let id: Int

    /// The keys of all records of a group.
    static func range(of group: Int) -> Range<GroupKey> {
        GroupKey(group: group, id: .min)..<GroupKey(group: group, id: .max)
    }

    static func < (left: GroupKey, right: GroupKey) -> Bool {
        (left.group, left.id) < (right.group, right.id)
    }
}
