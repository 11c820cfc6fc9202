import JSON

/// The fields of a type, in the order in which they are written; made once per type, by a visit.
public struct FieldTable: Sendable {
    /// The descriptions.
    public let descriptions: [FieldDescription]
    /// The indexes of the fields `latitude` and `longitude`; nil for a type without a place.
    public let place: (latitude: Int, longitude: Int)?
    /// Finds a field's index by its name.
    let keys: JSONKeys<Int>

    /// The fields of a type: at most 64.
    public init<Subject: Described>(of type: Subject.Type) {
        var collector = Collector<Subject>()
        Subject.visit(&collector)
        descriptions = collector.descriptions
        let names = descriptions.map(\.name)
        keys = JSONKeys(names)
        place =
            if let latitude = names.firstIndex(of: "latitude"), let longitude = names.firstIndex(of: "longitude") {
                (latitude, longitude)
            } else {
                nil
            }
    }

    /// Their names.
    public var names: [String] { descriptions.map(\.name) }

    /// The index of the field with a name; nil when there is none.
    public func index(of name: some StringProtocol) -> Int? {
        descriptions.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The index of the field with a name that the program states; it traps when there is none.
    public func knownIndex(of name: String) -> Int {
        guard let index = index(of: name) else { preconditionFailure("there is no field \(name)") }
        return index
    }

    private struct Collector<Subject: Described>: FieldVisitor {
        var descriptions: [FieldDescription] = []

        mutating func field<Value: FieldValue>(
            _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule,
            _ options: FieldOptions, _ explanation: StaticString
        ) {
            descriptions.append(FieldDescription("\(name)", Value.kind, options, "\(explanation)"))
        }
    }
}
