import Dispatcher
import HTTP
import Service
import SookeModel

/// What the forms of people without an account have beside their own fields: whom to ask, and what programs give away.
enum StrangerFields {
    /// A field that nobody sees, and programs fill in.
    private static let trap = "homepage"
    private static let stamp = "stamp"

    static func markup(_ state: FormState, _ view: View) -> HTML {
        let email = FormField(
            name: "email", label: "Your e-mail",
            hint: "For questions only. It is never shown, and deleted with the decision.",
            control: .line(type: "email", autocomplete: "email"))
        return """
            \(if: view.frame.person == nil, email.markup(state))\(if: view.frame.person == nil, length)\
            <div class="trap" aria-hidden="true"><label for="homepage">Leave this empty</label>\
            <input id="homepage" name="homepage" tabindex="-1" autocomplete="off"></div>\
            <input type="hidden" name="stamp" value="\(view.call.service.formStamp())">\(state.keyField)
            """
    }

    private static let length: HTML =
        "<p class=\"hint\">All texts together have at most \("\(ProposalLimits.strangerText)") characters.</p>"

    /// Whether a program has filled in the form: it is told that all is well.
    static func isOfProgram(_ sent: Submission) -> Bool { !(sent[trap] ?? "").isEmpty }

    /// Checks that somebody has looked at the form.
    ///
    /// - Throws: `FormRefusal`.
    static func check(_ sent: Submission, _ call: Call) throws {
        guard call.caller == .anonymous, !call.service.isFormOfPerson(sent[stamp] ?? "") else { return }
        throw FormRefusal(FormState(message: "Look at it once more, then send it."))
    }

    static func message(_ sent: Submission, _ call: Call) -> ProposalMessage {
        ProposalMessage(text: sent["message"], email: call.caller == .anonymous ? sent["email"] : nil)
    }
}
