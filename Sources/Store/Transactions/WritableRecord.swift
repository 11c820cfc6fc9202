import Bytes
import SookeModel

/// What a transaction has to know of a kind of record.
public protocol WritableRecord: Record {
    /// The record of a number.
    static func find(_ id: Int, in community: Community) -> Self?

    /// Gives numbers to its parts that bring none, and puts the parts in order.
    mutating func assignIDs(after existing: Self?, _ sequences: inout IDSequences)

    /// Notes what does not fit the rest of the town, such as the name of a category that is not there.
    func checkReferences(in community: Community, _ problems: inout FieldProblems)

    /// Notes what may not be put in by a change, but may be there already.
    func checkChange(after existing: Self?, _ problems: inout FieldProblems)

    /// The records that name this one, as they have to be once it has another slug, or once it is gone, for nil.
    func mentions(in community: Community, after slug: Slug?) -> [AnyRecord]
}

/// A record that has a slug: any but a person.
public protocol SluggedRecord: WritableRecord {
    /// What people call it.
    var name: String { get }
    /// What stands in its address on the web.
    var slug: Slug { get set }

    /// The record of a slug.
    static func find(_ slug: Slug, in community: Community) -> Self?

    /// The number of the record that has a slug.
    static func id(of slug: Slug, in community: Community) -> Int?

    /// The number of another record that has its name, where a name must be the only one of its kind.
    func otherOfSameName(in community: Community) -> Int?

    /// Whether a slug is not to be made from a name, although no record has it: it leads to another one.
    func isKept(_ slug: Slug, in community: Community) -> Bool

    /// Keeps the slug that it had before a change, so that its old address leads to it.
    mutating func keepSlug(of existing: Self)
}

extension WritableRecord {
    /// Most kinds have no parts with numbers.
    public mutating func assignIDs(after existing: Self?, _ sequences: inout IDSequences) {}

    /// Most kinds are bounded by their fields.
    public func checkChange(after existing: Self?, _ problems: inout FieldProblems) {}

    /// Nothing names an event.
    public func mentions(in community: Community, after slug: Slug?) -> [AnyRecord] { [] }

    func checkPerson(_ id: Int?, _ field: String, in community: Community, _ problems: inout FieldProblems) {
        guard let id, !community.people.has(id: id) else { return }
        problems.add(field, "there is no user \(id)")
    }

    func unknown(_ what: String, _ slug: Slug) -> String {
        "there is no \(what) \"\(slug.text.excerpt())\""
    }
}

extension SluggedRecord {
    /// The number of the record that has a slug.
    public static func id(of slug: Slug, in community: Community) -> Int? { find(slug, in: community)?.id }

    /// Most names may be given to many.
    public func otherOfSameName(in community: Community) -> Int? { nil }

    /// Whether it is called what another record is called, and was not so before.
    func isNameTaken(in community: Community, after existing: Self?) -> Bool {
        existing?.name.hasSameBytes(as: name) != true && otherOfSameName(in: community) != nil
    }

    /// A former slug gives way.
    public func isKept(_ slug: Slug, in community: Community) -> Bool { false }

    /// Whether another record has its slug.
    func isSlugTaken(in community: Community) -> Bool {
        Self.id(of: slug, in: community).map { $0 != id } ?? false
    }

    /// Makes a slug from the name where there is none, with a number behind it where that one is taken.
    mutating func makeSlugIfEmpty(in community: Community) {
        guard slug.isEmpty else { return }
        let plain = Slug.make(from: name)
        slug = plain
        var number = 1
        while isSlugTaken(in: community) || isKept(slug, in: community) {
            number += 1
            slug = plain.numbered(number)
        }
    }
}

extension [Slug] {
    /// Puts the slug that a record had until now at the end, and drops the oldest of too many.
    mutating func remember(_ former: Slug) {
        removeAll { $0 == former }
        append(former)
        let surplus = count - AccountLimits.standard.formerSlugs
        if surplus > 0 { removeFirst(surplus) }
    }
}
