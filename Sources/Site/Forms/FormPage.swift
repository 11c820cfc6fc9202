import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// A page with a form that changes something: it is shown, sent to its own address, and shown again with everything
/// that was typed until it can be accepted.
protocol FormPage: SendableMetatype {
    static var path: String { get }
    static var access: Access { get }
    /// The action in the audit; nil records only refusals.
    static var audit: AuditEntry.Action? { get }
    static var parameters: [String] { get }
    /// Whether the page looks at all places, for which no event loop has the time.
    static var isLarge: Bool { get }

    static func page(_ view: View, _ state: FormState) throws -> WebPage

    /// - Throws: `FormRefusal`, or the error of a use case.
    static func submit(_ call: Call, _ sent: Submission) async throws -> Response

    /// The field of the form that shows a problem of a field of the record; nil where nobody can mend it.
    static func field(showing name: String) -> String?
}

extension FormPage {
    static var access: Access { .member }
    static var audit: AuditEntry.Action? { nil }
    static var parameters: [String] { [] }
    static var isLarge: Bool { false }

    static func field(showing name: String) -> String? { name }
}

extension WebPage {
    /// A page between a button and what it does: it says what will happen, and asks.
    static func asking(
        _ question: String, _ consequences: HTML, button: String, orKeep kept: Link, _ state: FormState
    ) -> WebPage {
        WebPage(
            question, .task, tab: .account,
            main: """
                <section class="head"><h1 \
                dir="auto">\(question)</h1>\(state.summary([:]))<p>\(consequences)</p></section><form class="actions" \
                method="post"><button class="quiet danger">\(button)</button><a class="button quiet" \
                href="\(link: kept)">Keep it</a></form>
                """)
    }
}

extension Call {
    /// Runs a use case; one that makes something new does so once, however often its form is `sent`.
    @discardableResult
    func run<Result: Sendable>(
        once sent: Submission? = nil, _ useCase: (TownService, RequestContext) throws -> Transaction<Result>
    ) async throws -> Result {
        let context = try sent.map { self.context(once: $0.key) } ?? self.context(hasKey: false)
        return try await service.run(useCase(service, context), for: context)
    }
}

extension Outcome {
    var joined: Joined? {
        switch self {
        case .created(let record), .updated(let record): record
        case .deleted: nil
        }
    }

    var business: BusinessRecord? { joined?.record as? BusinessRecord }
}

extension Site {
    /// The endpoints of a page with a form. Its responses are never stored: they have what somebody typed.
    func form(_ page: any FormPage.Type) -> [(method: Method, pattern: String, endpoint: Endpoint)] {
        let sent = sending(page.access, audit: page.audit) { call, sent in
            do {
                // A log-in carries the fields of another form.
                if page != LoginPage.self, !sent.cut.isEmpty { throw FormRefusal(sent.cut) }
                return try await page.submit(call, sent)
            } catch {
                var refusal = try FormRefusal(error, sent, of: page)
                let view = view(call)
                if refusal.status == .tooManyRequests, let contact = view.town.settings.contactEmail.shown {
                    refusal.state.message?.append(" Or write to \(contact). Your text is below.")
                }
                var shown = try page.page(view, refusal.state)
                if refusal.status != .ok { shown.title = "Error: " + shown.title }
                return response(shown, in: view.frame, for: .somebody, status: refusal.status)
            }
        }
        let show = { @Sendable (view: View) throws -> WebPage in
            var state = FormState()
            if let refusal = readOnlyRefusal {
                // Nobody logs in or types for nothing. Who has a page of their own still reads it.
                if page.access == .anyone { throw refusal }
                state.message = refusal.sentence
            }
            return try page.page(view, state)
        }
        let shown =
            page.isLarge
            ? reading(page.path, page.access, page.parameters, show)
            : personal(page.path, page.access, reading: page.parameters, show)
        return [shown, (.post, page.path, sent)]
    }

    var readOnlyRefusal: HTTPError? {
        do throws(ServiceError) {
            try service.requireWritable()
            return nil
        } catch {
            return HTTPError(error)
        }
    }

    func personal(
        _ pattern: String, _ access: Access, reading parameters: [String] = [],
        _ page: @escaping @Sendable (View) throws -> WebPage
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        get(
            pattern, access, reading: parameters, isPage: true,
            .read { call in
                let view = view(call)
                var page = try page(view)
                page.followNotices()
                page.until = page.topics.isEmpty ? nil : view.until
                return response(page, in: view.frame, for: .somebody)
            })
    }

    /// A page that is made of files, or of all places: no event loop has the time for it.
    func reading(
        _ pattern: String, _ access: Access, _ parameters: [String],
        _ page: @escaping @Sendable (View) async throws -> WebPage
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        get(
            pattern, access, reading: parameters, isPage: true,
            .async { call in
                let view = view(call)
                var page = try await page(view)
                page.until = page.topics.isEmpty ? nil : view.until
                return response(page, in: view.frame, for: .somebody)
            })
    }

    func get(
        _ pattern: String, _ access: Access = .anyone, reading parameters: [String] = [], isPage: Bool = false,
        ignoresCookies: Bool = false, _ handler: Endpoint.Handler
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        let endpoint = Endpoint(
            access, types: [.html], parameters: parameters.map { Endpoint.Parameter($0, isRepeated: false) },
            isPage: isPage, ignoresCookies: ignoresCookies, handler: handler)
        return (.get, pattern, endpoint)
    }

    /// - Parameter isPage: false for what programs send that have no page: its address alone gives the right.
    func sending(
        _ access: Access, audit: AuditEntry.Action? = nil, isPage: Bool = true,
        _ submit: @escaping @Sendable (Call, Submission) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            access, body: .of("application/x-www-form-urlencoded"), types: [.html], audit: audit, isPage: isPage,
            loginAddress: { (try? Submission($0.request))?[LoginPage.email] },
            handler: .async { call in try await submit(call, Submission(call.request)) })
    }
}

extension FormRefusal {
    /// - Throws: an error that is not about what was typed.
    fileprivate init(_ error: any Error, _ sent: Submission, of page: any FormPage.Type) throws {
        var (status, state) = (Status.unprocessableContent, FormState())
        switch error {
        case let refusal as FormRefusal: (status, state) = (refusal.status, refusal.state)
        default:
            let error = HTTPError(error)
            guard error.isAboutTheForm else { throw error }
            status = error.status
            if error.fields.isEmpty { state.message = error.sentence }
            let isInvalid = error.code == "invalid_input"
            for (name, message) in error.fields {
                if let name = isInvalid ? page.field(showing: name) : name { state.problems.add(name, message) }
            }
        }
        // The form may show something else than was sent.
        state.sent = state.sent ?? sent
        if case ServiceError.keyReused = error {
            state.message = "You have sent this before. To send it as another one, press Send again."
            state.sent = sent.without(Submission.keyName).without(StrangerFields.reference)
        }
        self.init(state, status)
    }
}

extension HTTPError {
    /// Whether the form is shown again: what was asked for cannot be done, now or in this way.
    fileprivate var isAboutTheForm: Bool {
        switch status.code {
        case 409, 410, 412, 422, 429, 503, 507: true
        default: code == "wrong_password"
        }
    }

    var sentence: String { message.prefix(1).uppercased() + message.dropFirst() + "." }
}

extension Response {
    static func seeOther(_ address: String) -> Response {
        var response = Response(.seeOther, headers: ["Cache-Control": "no-store"])
        response.headers.add("Location", address)
        return response
    }
}
