import HTTP
import SookeModel

/// What a form shows beside what the town has: what somebody typed, and what is wrong with it.
struct FormState: Sendable {
    /// What was sent; nil when the form is new.
    var sent: Submission?
    var problems = FieldProblems()
    /// What is wrong with the whole, in a sentence.
    var message: String?
    /// The fields that somebody else changed meanwhile.
    var conflicts: [Conflict] = []
    /// What was just made and is shown once, such as a link with a secret.
    var made: HTML?
    /// The field or part that the answer is about, by its ID: the focus is there, unless something is wrong.
    var focus: String?

    /// A field with another text in the town than the form showed, and a third one in the form.
    struct Conflict: Sendable, Equatable {
        let name: String
        let before: String
        let theirs: String
        let mine: String
    }

    /// The text of a field: what was typed, else what the town has.
    func text(_ name: String, _ shown: String = "") -> String { sent.map { $0[name] ?? "" } ?? shown }

    func isTicked(_ name: String, _ value: String = "true", orElse shown: Bool = false) -> Bool {
        sent.map { $0.all(name).contains { $0 == value } } ?? shown
    }

    /// A hidden field with a key by which something new is made once, however often the form is sent.
    var keyField: HTML {
        let number = { String(UInt64.random(in: .min ... .max), radix: 36) }
        return """
            <input type="hidden" name="\(Submission.keyName)" \
            value="\(sent?[Submission.keyName] ?? "\(number())-\(number())")">
            """
    }

    /// The button that enter presses in a form with several: the first one (HTML, 4.10.22.2).
    static func firstButton(_ label: String) -> HTML {
        "<button class=\"hidden\" tabindex=\"-1\" aria-hidden=\"true\">\(label)</button>"
    }

    /// The last line of a form whose draft a device keeps.
    static func saving(_ label: String) -> HTML {
        """
        <div class="bar"><button>\(label)</button><span class="small soft">Kept on this device until you \
        save</span></div>
        """
    }

    /// The last line of a form that can be looked at first, as people will see it.
    static func sending(_ label: String) -> HTML {
        """
        <div class="bar"><button>\(label)</button>\
        <button class="quiet" name="\(Submission.look)" value="yes">Preview</button></div>
        """
    }

    func problem(of name: String) -> String? { problems.all.first { $0.field == name }?.message }

    func conflict(about name: String) -> Conflict? { conflicts.first { $0.name == name } }
}

extension FieldProblems {
    /// The same problems at other fields; without those whose new name is nil.
    func renamed(_ name: (String) -> String?) -> FieldProblems {
        var problems = FieldProblems()
        for problem in all { if let name = name(problem.field) { problems.add(name, problem.message) } }
        return problems
    }
}

/// A form that is shown again, with what was typed.
struct FormRefusal: Error {
    let status: Status
    var state: FormState

    init(_ status: Status = .unprocessableContent, _ state: FormState) { (self.status, self.state) = (status, state) }

    init(_ state: FormState) { self.init(.unprocessableContent, state) }

    init(_ problems: FieldProblems) { self.init(.unprocessableContent, FormState(problems: problems)) }

    init(_ field: String, _ message: String) {
        var problems = FieldProblems()
        problems.add(field, message)
        self.init(problems)
    }

    /// The page with what was just made: in the response itself, because addresses are stored by browsers.
    init(showing made: HTML) { self.init(.ok, FormState(made: made)) }
}
