private struct FieldComparison<Subject: Described>: FieldVisitor {
    let subject, other: Subject
    var difference = FieldSet<Subject>()
    var index = 0

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        if !subject[keyPath: path].isSame(as: other[keyPath: path]) { difference.insert(index) }
        index += 1
    }
}

private struct FieldPatcher<Subject: Described>: FieldVisitor {
    var subject: Subject
    let other: Subject
    let fields: FieldSet<Subject>
    var index = 0

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        if fields.contains(index) { subject[keyPath: path] = other[keyPath: path] }
        index += 1
    }
}

private struct FieldValidator<Subject: Described>: FieldVisitor {
    let subject: Subject
    let stage: FieldStage
    var problems: FieldProblems

    @inline(__always)
    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        if stage == .input, options.contains(.required), subject[keyPath: path].isNothing {
            problems.add(name, "is missing")
        } else {
            subject[keyPath: path].validate(name, rule, stage, &problems)
        }
    }
}

extension Described {
    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public func difference(from other: Self) -> FieldSet<Self> {
        var visitor = FieldComparison(subject: self, other: other)
        Self.visit(&visitor)
        return visitor.difference
    }

    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public mutating func take(_ fields: FieldSet<Self>, from other: Self) {
        var visitor = FieldPatcher(subject: self, other: other, fields: fields)
        Self.visit(&visitor)
        self = visitor.subject
    }

    @specialized(where Self == Business)
    @specialized(where Self == Event)
    @specialized(where Self == Menu)
    @specialized(where Self == MenuItem)
    @specialized(where Self == DayHours)
    @specialized(where Self == Person)
    public func validateFields(_ stage: FieldStage, _ problems: inout FieldProblems) {
        var visitor = FieldValidator(subject: self, stage: stage, problems: problems)
        Self.visit(&visitor)
        problems = visitor.problems
    }
}
