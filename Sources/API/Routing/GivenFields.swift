import SookeModel

/// The members that a body gave: texts and flags, by name.
struct GivenFields: Sendable {
    var texts: [String: String] = [:]
    /// The flags that are true.
    var flags: Set<String> = []
    /// What is wrong with the others.
    var problems = FieldProblems()

    /// A text; nil when it was not given.
    subscript(name: String) -> String? { texts[name] }

    /// Whether a flag was given as true.
    func isSet(_ name: String) -> Bool { flags.contains(name) }
}
