import Bytes
import JSON

/// Writing fields that are left out when there is nothing to say.
extension JSONWriter {
    /// Writes a key and a list of slugs, unless the list is empty.
    mutating func memberUnlessEmpty(_ name: StaticString, _ slugs: [Slug]) {
        guard !slugs.isEmpty else { return }
        key(name)
        beginArray()
        for slug in slugs { string(slug.text) }
        endArray()
    }

    /// Writes a key and a moment.
    public mutating func member(_ name: StaticString, _ moment: Timestamp) {
        key(name)
        string { $0.append(rfc3339: moment) }
    }

    /// Writes a key and a moment or `null`.
    public mutating func member(_ name: StaticString, _ moment: Timestamp?) {
        if let moment {
            member(name, moment)
        } else {
            key(name)
            null()
        }
    }

    /// Writes a key and a moment, unless there is none.
    mutating func memberIfGiven(_ name: StaticString, _ moment: Timestamp?) {
        if let moment { member(name, moment) }
    }

    /// Writes a key and a text, unless there is none.
    mutating func memberIfGiven(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    /// Writes a key and a number, unless there is none.
    mutating func memberIfGiven(_ name: StaticString, _ number: Int?) {
        if let number { member(name, number) }
    }
}
