import SookeModel

/// The members in a body: texts and flags, by name.
struct GivenFields: Sendable {
    var texts: [String: String] = [:]
    /// The flags that are true.
    var flags: Set<String> = []
    /// The problems of the others.
    var problems = FieldProblems()

    /// A text; nil when it is absent.
    subscript(name: String) -> String? { texts[name] }

    /// Whether a flag is true.
    func isSet(_ name: String) -> Bool { flags.contains(name) }
}
