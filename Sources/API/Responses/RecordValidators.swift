import Bytes
import SookeModel
import Store

/// The validators of a stored record in a response: its part of the entity tag, and its time of modification.
struct RecordValidators {
    /// The digest of the record: the first part of the entity tag.
    let digest: UInt64
    /// When the record was last changed; nil when that is not recorded.
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
