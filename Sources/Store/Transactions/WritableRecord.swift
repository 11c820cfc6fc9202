import Bytes
import SookeModel

package protocol WritableRecord: Record {
    associatedtype Stored: TableRecord where Stored.Value == Self

    static func stored(_ id: Int, in town: Town) -> Stored?

    /// Nil for kinds without slugs.
    static func id(of slug: Slug, in town: Town) -> Int?

    static func id(formerly slug: Slug, in town: Town) -> Int?

    /// A new record for a name that none has; nil for kinds whose records are more than a name.
    static func term(named name: String) -> Patch<Self>?

    /// The key by which an import identifies it in its kind; empty when it has none.
    var importKey: String { get }

    /// The record that a patch changes in an import, by its key, which the patch then has.
    static func existing(for patch: inout Patch<Self>, in town: Town) -> Self?

    /// Sets what a change sets besides the given fields, before it is validated.
    mutating func prepare(after existing: Self?, in town: Town)

    /// Sets what follows from the given fields and from the town.
    mutating func settle(after existing: Self?, in town: Town, _ problems: inout FieldProblems)

    /// Changes the records that depend on a change of this one.
    func changeOthers(after existing: Self, in transaction: inout WriteTransaction)

    /// For kinds whose names are unique.
    func otherOfSameName(in town: Town) -> Int?

    /// Adds problems for given IDs that would leave too few for later records.
    func checkGivenIDs(_ problems: inout FieldProblems)

    /// Assigns IDs to parts without one, and sorts the parts.
    mutating func assignIDs(after existing: Self?, _ sequences: inout IDSequences)

    /// Adds problems for references that lead nowhere, and for what else the town lacks.
    func checkReferences(in town: Town, _ problems: inout FieldProblems)

    /// Adds problems that a change must not cause, but that stored records may have.
    func checkChange(after existing: Self?, _ problems: inout FieldProblems)
}

package protocol SluggedRecord: WritableRecord, NamedRecord {
    static func find(_ slug: Slug, in town: Town) -> Self?

    static func inOrderOfName(in town: Town) -> [Self]

    /// What everybody may read at a time, in the order of its list.
    static func listed(in town: Town, at now: Timestamp) -> [Self]

    /// Adds to the patch of a request what follows from who sent it, and when.
    static func complete(
        _ patch: inout Patch<Self>, after existing: Self?, by person: Int?, in town: Town, at now: Timestamp,
        _ problems: inout FieldProblems)

    /// Whether a slug must not be made from a name, although no record has it, because it leads to another record.
    func isReserved(_ slug: Slug, in town: Town) -> Bool

    /// Adds the slug before a change to the former slugs, so that the old address leads to the record.
    mutating func addFormerSlug(of existing: Self)
}

extension WritableRecord {
    package static func stored(_ id: Int, in town: Town) -> Stored? {
        town.storage[0][keyPath: Stored.table][id]
    }

    static func find(_ id: Int, in town: Town) -> Self? { stored(id, in: town)?.value }

    package static func id(of slug: Slug, in town: Town) -> Int? { nil }
    package static func id(formerly slug: Slug, in town: Town) -> Int? { nil }

    package static func all(in town: Town) -> some Sequence<Self> {
        town.storage[0][keyPath: Stored.table].inOrderOfID.lazy.map(\.value)
    }

    package func checkGivenIDs(_ problems: inout FieldProblems) { IDRules.check(given: id, "id", &problems) }

    package func checkReferences(in town: Town, _ problems: inout FieldProblems) {
        requireReferences(in: town, &problems)
    }

    func requireReferences(in town: Town, _ problems: inout FieldProblems) {
        for reference in Self.references {
            if case .id(let path) = reference.path {
                guard let id = self[keyPath: path], !town.people.has(id: id) else { continue }
                problems.add(reference.field, "there is no \(reference.kind.label) \(id)")
            } else if let slug = reference.slug(in: self) {
                if case .slug = reference.path, slug.isEmpty { continue }
                guard Town.recordType(of: reference.kind)?.id(of: slug, in: town) == nil else { continue }
                problems.add(reference.field, "there is no \(reference.kind.label) \"\(slug.text.excerpt())\"")
            }
        }
    }

    package static func term(named name: String) -> Patch<Self>? { nil }

    package static var isTerm: Bool { term(named: "") != nil }

    package mutating func prepare(after existing: Self?, in town: Town) {}
    package mutating func settle(after existing: Self?, in town: Town, _ problems: inout FieldProblems) {}
    package mutating func assignIDs(after existing: Self?, _ sequences: inout IDSequences) {}
    package func checkChange(after existing: Self?, _ problems: inout FieldProblems) {}
    package func otherOfSameName(in town: Town) -> Int? { nil }

    package func changeOthers(after existing: Self, in transaction: inout WriteTransaction) {
        if ownSlug != existing.ownSlug {
            for mention in existing.mentions(in: transaction.town, after: ownSlug) { transaction.append(.put(mention)) }
        }
        if Self.kind != .event, timeZone != existing.timeZone { transaction.settleEvents() }
    }

    func isNameTaken(in town: Town, after existing: Self?) -> Bool {
        existing?.label.hasSameBytes(as: label) != true && otherOfSameName(in: town) != nil
    }

    func isSlugTaken(in town: Town) -> Bool {
        ownSlug.flatMap { Self.id(of: $0, in: town) }.map { $0 != id } ?? false
    }

    /// The records that refer to this one, as they must be when its slug is replaced, or, for nil, when it is deleted:
    /// then they stay at its place.
    func mentions(in town: Town, after slug: Slug?) -> [AnyRecord] {
        Town.recordTypes.flatMap { $0.mentioning(self, in: town, after: slug) }
    }

    private static func mentioning(_ other: some WritableRecord, in town: Town, after slug: Slug?) -> [AnyRecord] {
        let references = references.filter { $0.kind == type(of: other).kind }
        if references.isEmpty { return [] }
        return all(in: town).compactMap { record in
            let found = references.filter { $0.leads(from: record, to: other) }
            if found.isEmpty { return nil }
            var record = record
            for reference in found { reference.setSlug(slug, in: &record) }
            if slug == nil { record.outlive(other, in: found.map(\.field)) }
            return AnyRecord(record)
        }
    }

    /// Its own, or that of the business where it is; nil for that of the town.
    package func zoneName(in town: Town) -> String? {
        if let timeZone { return timeZone }
        for reference in Self.references where reference.field != "host" {
            guard let slug = reference.slug(in: self), let type = Town.recordType(of: reference.kind),
                let id = type.id(of: slug, in: town), let zone = type.record(id, in: town)?.timeZone
            else { continue }
            return zone
        }
        return nil
    }

    package static func record(_ id: Int, in town: Town) -> (any Record)? { find(id, in: town) }
}

extension SluggedRecord {
    package static func id(of slug: Slug, in town: Town) -> Int? { find(slug, in: town)?.id }

    package var importKey: String { slug.isEmpty ? Slug.make(from: name).text : slug.text }

    package static func existing(for patch: inout Patch<Self>, in town: Town) -> Self? {
        patch.values.slug = Slug(patch.values.importKey)
        patch.fields.insert("slug")
        return find(patch.values.slug, in: town)
    }

    package mutating func prepare(after existing: Self?, in town: Town) {
        makeSlugIfEmpty(in: town)
        if let existing { addFormerSlug(of: existing) }
    }

    package mutating func addFormerSlug(of existing: Self) {}

    package static func inOrderOfName(in town: Town) -> [Self] {
        all(in: town).map { (NameKey(name: $0.name, id: $0.id), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    package func isReserved(_ slug: Slug, in town: Town) -> Bool { false }
    package static func listed(in town: Town, at now: Timestamp) -> [Self] { inOrderOfName(in: town) }

    package static func complete(
        _ patch: inout Patch<Self>, after existing: Self?, by person: Int?, in town: Town, at now: Timestamp,
        _ problems: inout FieldProblems
    ) {}

    /// Makes a slug from the name if there is none; if that is taken, a number is appended.
    mutating func makeSlugIfEmpty(in town: Town) {
        guard slug.isEmpty else { return }
        let plain = Slug.make(from: name)
        slug = plain
        var number = 1
        while isSlugTaken(in: town) || isReserved(slug, in: town) {
            number += 1
            slug = plain.numbered(number)
        }
    }
}

extension [Slug] {
    mutating func appendFormer(_ former: Slug) {
        removeAll { $0 == former }
        append(former)
        let surplus = count - AccountLimits.standard.formerSlugs
        if surplus > 0 { removeFirst(surplus) }
    }
}

/// A record before a step changes it.
///
/// A class, because each access to an optional business would copy it and retain each of its texts.
final class Existing<Value: WritableRecord>: Sendable {
    let record: Value

    init(_ record: Value) {
        self.record = record
    }
}
