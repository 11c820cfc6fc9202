import HTTP
import SookeModel

struct FormField {
    enum Control {
        /// A line of text; the type says which keyboard a phone shows, and what fills it in.
        case line(type: String = "text", autocomplete: String = "off", help: Help? = nil)
        case lines(Int)
        case choice([(value: String, label: String)])
    }

    /// What a script does beside a line: it offers names of the directory, shows places of the same name, or fills in
    /// where the device is.
    enum Help {
        case names, twins, location
    }

    let name: String
    let label: String
    /// What problems call it, if its label is a question.
    var noun: String?
    var hint: String?
    var shown = ""
    /// What a form proposes instead of what is stored, to be agreed to; nil for nothing else.
    var proposal: String?
    var control = Control.line()
    /// Whether it is a field of a record, which others may change at the same time.
    var isMerged = false

    func markup(_ state: FormState) -> HTML {
        if let conflict = state.conflict(about: name) { return choice(conflict) }
        let problem = state.problem(of: name, noun ?? label)
        return """
            <div class="field"><label for="\(name)">\(label)</label>\
            \(if: hint, { "<span class=\"hint\" id=\"\(name)-hint\">\($0)</span>" })\
            \(input(state.text(name, proposal ?? shown), isInvalid: problem != nil))\
            \(if: problem, { "<span class=\"problem\" id=\"\(name)-problem\">\($0)</span>" })\(before(state))</div>
            """
    }

    /// What the form shows of the record, so that the server finds out what was changed.
    func before(_ state: FormState) -> HTML {
        if !isMerged { return "" }
        let text = state.sent?.before(name) ?? shown
        return #"<input type="hidden" name="\#(Submission.nameBefore(name))" value="\#(text)">"#
    }

    private func input(_ text: String, isInvalid: Bool) -> HTML {
        let described = (hint == nil ? "" : "\(name)-hint ") + (isInvalid ? "\(name)-problem" : "")
        switch control {
        case .line(let type, let autocomplete, let help):
            // A password is typed again.
            let value = type == "password" ? "" : text
            return """
                <input id="\(name)" name="\(name)" type="\(type)" value="\(value)" autocomplete="\(autocomplete)" \
                aria-describedby="\(described)"\(attribute: "autocapitalize=\"off\"", if: type != "text")\
                \(attribute: "list=\"zones\"", if: name == "time_zone")\
                \(attribute: "data-names", if: help == .names || help == .twins)\
                \(attribute: "aria-invalid=\"true\"", if: isInvalid)>\(self.help(help))
                """
        case .lines(let count):
            // The first line break after the tag is not a part of the text.
            return """
                <textarea id="\(name)" name="\(name)" rows="\(count)" aria-describedby="\(described)" dir="auto"\
                \(attribute: "aria-invalid=\"true\"", if: isInvalid)>
                \(text)</textarea>
                """
        case .choice(let options):
            return """
                <select id="\(name)" name="\(name)" aria-describedby="\(described)"\
                \(attribute: "aria-invalid=\"true\"", if: isInvalid)>\(each: options, { option in
                    """
                    <option value="\(option.value)"\(attribute: "selected", if: option.value == text)\
                    >\(option.label)</option>
                    """
                })</select>
                """
        }
    }

    private func help(_ help: Help?) -> HTML {
        switch help {
        case nil: ""
        case .names: "<datalist id=\"\(name)-names\"></datalist>"
        case .twins: "<span class=\"hint\" id=\"\(name)-names\" role=\"status\"></span>"
        case .location:
            "<button type=\"button\" class=\"quiet\" data-here=\"\(name)\" hidden>I am standing here</button>"
        }
    }

    private func choice(_ conflict: FormState.Conflict) -> HTML {
        let texts = [
            (label: "Now", text: conflict.theirs), (label: "Yours", text: conflict.mine),
            (label: "Before", text: conflict.before),
        ]
        return """
            <fieldset class="merge" id="\(name)"><legend>\(label)</legend>\
            <p class="small">This was changed while you typed. Which text is right?</p>\
            \(each: texts.indices, { index in
                """
                <label class="option"><input type="radio" name="\(name)" value="\(texts[index].text)"\
                \(attribute: "checked", if: index == 0)><span><span class="soft">\(texts[index].label)</span><br>\
                <span dir="auto">\(texts[index].text.isEmpty ? "nothing" : texts[index].text)</span></span></label>
                """
            })<input type="hidden" name="\(Submission.nameBefore(name))" value="\(conflict.theirs)"></fieldset>
            """
    }
}

extension FormState {
    private static let unsaved = "Nothing has been saved; your text is below."
    private static let changed = "This was changed while you typed. Choose which text is right; yours is below."

    /// - Parameter isLinked: false on a page without the fields.
    func summary(_ fields: [FormField], isLinked: Bool = true) -> HTML {
        summary(fields.labels, order: fields.map(\.name), isLinked: isLinked)
    }

    func summary(_ labels: [String: String], order: [String] = [], isLinked: Bool = true) -> HTML {
        if problems.isEmpty, conflicts.isEmpty, message == nil { return "" }
        func position(_ field: String) -> Int { order.firstIndex { $0 == field } ?? order.count }
        // The order of equal ones stays.
        let fields = problems.all.enumerated().sorted { left, right in
            (position(left.element.field), left.offset) < (position(right.element.field), right.offset)
        }.map { (name: $1.field, text: Words.problem($1.message, of: labels[$1.field])) }
        return """
            <div class="summary" role="alert" tabindex="-1" autofocus><strong>There is a problem</strong>\
            <p>\(message ?? (conflicts.isEmpty ? Self.unsaved : Self.changed))</p>\
            \(each: fields, { isLinked ? "<a href=\"#\(path: $0.name)\">\($0.text)</a>" : "<p>\($0.text)</p>" })\
            \(each: conflicts, { "<a href=\"#\(path: $0.name)\">\(labels[$0.name] ?? $0.name)</a>" })</div>
            """
    }
}

struct FormState: Sendable {
    /// What was sent; nil when the form is new.
    var sent: Submission?
    var problems = FieldProblems()
    var message: String?
    var conflicts: [Conflict] = []
    /// What was just made and is shown once, such as a link with a secret.
    var made: HTML?
    /// The field or part that the answer is about, by its ID: the focus is there, unless something is wrong.
    var focus: String?

    /// A field with another text in the town than the form showed, and a third one in the form.
    struct Conflict: Sendable, Equatable {
        let name, before, theirs, mine: String
    }

    func text(_ name: String, _ shown: String = "") -> String {
        // Another form than that of the page may not have the field.
        guard let sent, shown.isEmpty || sent.isSet(name) || sent.before(name) != nil else { return shown }
        return sent[name] ?? ""
    }

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

    static func saving(_ label: String) -> HTML {
        """
        <div class="bar"><button>\(label)</button><span class="small soft">Kept on this device until you \
        save</span></div>
        """
    }

    static func sending(_ label: String) -> HTML {
        """
        <div class="bar"><button>\(label)</button>\
        <button class="quiet" name="\(Submission.look)" value="yes">Preview</button></div>
        """
    }

    func problem(of name: String, _ noun: String? = nil) -> String? {
        problems.all.first { $0.field == name }.map { Words.problem($0.message, of: noun) }
    }

    func conflict(about name: String) -> Conflict? { conflicts.first { $0.name == name } }
}

struct FormRefusal: Error {
    let status: Status
    var state: FormState

    init(_ state: FormState, _ status: Status = .unprocessableContent) { (self.status, self.state) = (status, state) }

    init(_ problems: FieldProblems) { self.init(FormState(problems: problems)) }

    init(_ field: String, _ message: String) {
        var problems = FieldProblems()
        problems.add(field, message)
        self.init(problems)
    }

    /// The page with what was just made: in the response itself, because addresses are stored by browsers.
    init(showing made: HTML) { self.init(FormState(made: made), .ok) }
}
