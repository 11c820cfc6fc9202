import Bytes

/// An option or an operand of a command, with the type of its value.
///
/// ```swift
/// static let port = Parameter.option(
///     "port", "PORT", .port, default: "8080", environment: "PORT", help: "The port; 0 takes a free one.")
/// let number = try invocation[port]
/// ```
struct Parameter<Value: Sendable>: DescribedParameter {
    let description: ParameterDescription
    /// Converts the given texts to a value; without texts, to the default or nil.
    let read: @Sendable ([GivenText]) throws(CommandError) -> Value

    private init<Element>(
        _ description: ParameterDescription, _ syntax: ValueSyntax<Element>, default fallback: [String] = [],
        _ value: @escaping @Sendable ([Element]) throws(CommandError) -> Value
    ) {
        var description = description
        let spelling = description.spelling
        let defaults = fallback.map { GivenText(text: $0, spelling: spelling) }
        let read: @Sendable ([GivenText]) throws(CommandError) -> Value = { given throws(CommandError) in
            var elements: [Element] = []
            for text in given.isEmpty ? defaults : given { elements.append(try syntax.value(of: text)) }
            return try value(elements)
        }
        description.fallback = fallback.isEmpty ? nil : fallback.joined(separator: ",")
        description.completion = syntax.completion
        description.check = { given throws(CommandError) in _ = try read(given) }
        (self.description, self.read) = (description, read)
    }

    private init(one description: ParameterDescription, _ syntax: ValueSyntax<Value>, default fallback: String? = nil) {
        self.init(description, syntax, default: [fallback].compactMap(\.self)) { values throws(CommandError) in
            guard let value = values.last else { throw CommandError(.usage, "\(description.spelling) is missing") }
            return value
        }
    }

    static func option(
        _ name: String, _ placeholder: String, _ syntax: ValueSyntax<Value>, default fallback: String,
        environment: String? = nil, help: String
    ) -> Self {
        let description = ParameterDescription(
            kind: .option(name), placeholder: placeholder, environment: environment, help: help)
        return Self(one: description, syntax, default: fallback)
    }

    static func optional<Wrapped>(
        _ name: String, _ placeholder: String, _ syntax: ValueSyntax<Wrapped>, environment: String? = nil,
        help: String
    ) -> Self where Value == Wrapped? {
        let description = ParameterDescription(
            kind: .option(name), placeholder: placeholder, environment: environment, help: help)
        return Self(description, syntax) { $0.last }
    }

    /// `--name VALUE` any number of times; in the environment, values with commas between them.
    static func repeated<Element>(
        _ name: String, _ placeholder: String, _ syntax: ValueSyntax<Element>, default fallback: [String] = [],
        environment: String? = nil, help: String
    ) -> Self where Value == [Element] {
        let description = ParameterDescription(
            kind: .option(name), placeholder: placeholder, isRepeatable: true, environment: environment, help: help)
        return Self(description, syntax, default: fallback) { $0 }
    }

    static func flag(_ name: String, help: String) -> Self where Value == Bool {
        Self(ParameterDescription(kind: .flag(name), placeholder: "", help: help), .anyText) { !$0.isEmpty }
    }

    static func operand(
        _ placeholder: String, _ syntax: ValueSyntax<Value>, default fallback: String, help: String
    ) -> Self {
        Self(one: ParameterDescription(kind: .operand, placeholder: placeholder, help: help), syntax, default: fallback)
    }

    static func required(_ placeholder: String, _ syntax: ValueSyntax<Value>, help: String) -> Self {
        Self(
            one: ParameterDescription(kind: .operand, placeholder: placeholder, isRequired: true, help: help), syntax)
    }

    static func operand<Wrapped>(_ placeholder: String, _ syntax: ValueSyntax<Wrapped>, help: String) -> Self
    where Value == Wrapped? {
        Self(ParameterDescription(kind: .operand, placeholder: placeholder, help: help), syntax) { $0.last }
    }

    /// One or more operands, the last of a command; any number of them unless one is required.
    static func operands<Element>(
        _ placeholder: String, _ syntax: ValueSyntax<Element>, isRequired: Bool = true, help: String
    ) -> Self where Value == [Element] {
        let description = ParameterDescription(
            kind: .operand, placeholder: placeholder, isRepeatable: true, isRequired: isRequired, help: help)
        return Self(description, syntax) { $0 }
    }
}

extension ValueSyntax {
    fileprivate func value(of given: GivenText) throws(CommandError) -> Value {
        if let value = read(given.text) { return value }
        var message = "\(given.spelling) takes \(expectation), not \"\(given.text)\""
        if case .words(let words) = completion, let near = Suggestion.nearest(to: given.text, in: words) {
            message += "; did you mean \(near)?"
        } else if let advice = advice(given.text) {
            message += "; \(advice)"
        }
        throw CommandError(.usage, message)
    }
}

protocol DescribedParameter: Sendable {
    var description: ParameterDescription { get }
}

struct ParameterDescription: Sendable {
    enum Kind: Sendable, Equatable {
        case flag(String)
        case option(String)
        case operand
    }

    let kind: Kind
    /// The placeholder of the value in help, in capitals; empty for a flag.
    let placeholder: String
    var isRepeatable = false
    var isRequired = false
    var environment: String?
    var fallback: String?
    let help: String
    var completion = Completion.none
    var check: @Sendable ([GivenText]) throws(CommandError) -> Void = { _ in }

    /// The spelling in messages: `--port`, or `FILE`.
    var spelling: String {
        switch kind {
        case .flag(let name), .option(let name): "--\(name)"
        case .operand: placeholder
        }
    }

    /// The form in usage lines: `[--port PORT]`, `[--cors-origin ORIGIN]...`, `FILE...`.
    var usage: String {
        let words = kind == .operand || placeholder.isEmpty ? spelling : "\(spelling) \(placeholder)"
        return (isRequired ? words : "[\(words)]") + (isRepeatable ? "..." : "")
    }

    var isOperand: Bool { kind == .operand }
}

struct GivenText: Sendable, Equatable {
    let text: String
    /// The name of the source in errors: `--port`, `FILE`, or `the environment variable PORT`.
    let spelling: String
}
