import Bytes
import SookeModel
import Store

/// What a response says in its fields of the stored record that it shows.
struct ShownRecord {
    /// The digest of the record: the first part of the entity tag.
    let digest: UInt64
    /// When the record was last changed; nil where nobody knows.
    let updated: Timestamp?

    init(_ business: BusinessRecord) {
        (digest, updated) = (business.digest, business.times.updated)
    }

    init(_ event: EventRecord) {
        (digest, updated) = (event.digest, event.value.times.updated)
    }

    init(_ term: TermRecord<some Vocabulary>) {
        (digest, updated) = (term.digest, term.value.times.updated)
    }

    init(_ person: Person) {
        (digest, updated) = (person.digest, person.times.updated)
    }
}
