import JSON

/// Writing fields that are left out when there is nothing to say.
extension JSONWriter {
    /// Writes a key and a list of texts, unless the list is empty.
    mutating func memberUnlessEmpty(_ name: StaticString, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
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
