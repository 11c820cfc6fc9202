import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// The pages of a town: functions of the version, the address and the clock. The server keeps nothing of who looks.
package struct Site: RoutedApplication {
    let service: TownService
    /// Files at addresses of their own, as the demo has them: iCalendars by their paths.
    let calendars: [(path: String, text: String)]

    package static var stylesheet: String { Asset.stylesheet.path }

    package init(_ service: TownService, calendars: [(path: String, text: String)] = []) {
        (self.service, self.calendars) = (service, calendars)
    }

    package var endpoints: [(method: Method, pattern: String, endpoint: Endpoint)] {
        let pages = [
            page("/", HomePage.page, reading: ["near"]),
            page("/businesses", BusinessesPage.page, reading: BusinessesPage.parameters),
            page("/events", EventsPage.page, reading: EventsPage.parameters),
            page("/week", WeekPage.page),
            page("/embed", EmbedPage.page, reading: EmbedPage.parameters),
            page("/embed/events", EmbedPage.events, reading: EmbedPage.parameters),
            page("/embed/open", EmbedPage.open, reading: EmbedPage.parameters),
            answer("/events.atom", EventFeed.answer, reading: EventFeed.parameters),
            page("/notices", NoticesPage.page, reading: ["done"]),
            page("/about", AboutPage.page),
            answer("/businesses/{slug}", BusinessPage.page),
            answer("/events/{slug}", EventPage.page),
            answer("/events/{slug}/{date}", EventPage.date),
        ]
        let files = Asset.all.map { asset in
            get(
                asset.path, .anyone,
                .cachedRead { _ in CacheableResponse(response: asset.response, until: .endOfTime) })
        }
        return pages + people + administration + siteFiles + files
    }

    /// The pages of people: those that links of the server open, and those of an account.
    private var people: [(method: Method, pattern: String, endpoint: Endpoint)] {
        let forms: [any FormPage.Type] = [
            LoginPage.self, ForgottenPasswordPage.self, PasswordResetPage.self, InvitationPage.self, SetupPage.self,
            ConfirmationPage.self, MailedConfirmationPage.self, MailChoicePage.self, PasswordPage.self,
            BusinessFactsPage.self, HoursPage.self, MenusPage.self,
            NewEventPage.self, OwnEventPage.self, EventDatePage.self, UndoPage.self, ProposalPage.self,
            SendEventPage.self,
            ReportPage.self, CorrectionPage.self, HolidayPage.self,
        ]
        let actions =
            AccountPage.actions.map { ($0.path, AuditEntry.Action?.some(.logout), $0.action) }
            + WaitingPage.actions.map { ($0.path, nil, $0.action) }
            + OwnEventPage.actions.map { (OwnEventPage.path + "/" + $0.name, nil, $0.action) }
            + [(BusinessFactsPage.path + "/confirm", nil, OwnBusiness.confirm)]
            + NoticesPage.actions.map { ($0.path, nil, $0.action) }
        return forms.flatMap { form($0) } + actions.map { (.post, $0, sending(.member, audit: $1, $2)) } + [
            personal(AccountPage.path, .member, reading: ["done"], AccountPage.page),
            get("/account/data", .member, isPage: true, .read(AccountPage.data)),
            reading(
                BusinessFactsPage.path + "/changes", .member, RecordChangesPage.parameters,
                RecordChangesPage.ofBusiness),
            reading(OwnEventPage.path + "/changes", .member, RecordChangesPage.parameters, RecordChangesPage.ofEvent),
            reading(WaitingPage.path, .member, ["done", "due", "reference"], WaitingPage.page),
            personal(ReferencePage.path, .anyone, reading: ["done"], ReferencePage.page),
            (.post, ReferencePage.withdrawal, sending(.anyone, ReferencePage.withdraw)),
            personal(StopMailPage.path, .anyone, reading: ["done"], StopMailPage.page),
            (.post, StopMailPage.path, sending(.anyone, isPage: false, StopMailPage.submit)),
        ]
    }

    private var administration: [(method: Method, pattern: String, endpoint: Endpoint)] {
        let forms: [any FormPage.Type] = [
            StartPage.self, TownPage.self, MailPage.self, NewBusinessPage.self, AdminBusinessPage.self, MergePage.self,
            CategoriesPage.self, TermPage<CategoryVocabulary>.self, TermPage<EventTypeVocabulary>.self, PeoplePage.self,
            OwnerPage.self, PersonPage.self, PersonLinkPage.self, PersonSessionsPage.self, PersonRemovalPage.self,
            RemovalForGoodPage.self, NewNoticePage.self, NoticePage.self, CalendarPage.self, NewCalendarPage.self,
            CalendarCheckPage.self,
        ]
        let (editing, list) = (Access.editor, AdminBusinessesPage.self)
        let calendarSteps = CalendarsPage.actions.map { (Method.post, $0.path, sending(editing, $0.action)) }
        return forms.flatMap { form($0) } + calendarSteps + [
            reading(CalendarsPage.path, editing, ["done"], CalendarsPage.page),
            personal(list.path, editing, reading: list.parameters, list.page),
            personal(AdminEventsPage.path, editing, reading: AdminEventsPage.parameters, AdminEventsPage.page),
            (.post, AdminBusinessPage.path + "/delete", sending(editing, AdminBusinessPage.delete)),
            (
                .get, PersonPage.path + "/data",
                Endpoint(.superAdmin, types: [.html], audit: .export, isPage: true, handler: .read(PersonPage.data))
            ),
            personal(ImportPage.path, editing) { ImportPage.page($0, FormState()) },
            (.post, ImportPage.path, uploading),
            reading(ImportCheckPage.path, editing, ImportCheckPage.parameters, ImportCheckPage.page),
            (.post, ImportCheckPage.path, sending(editing, ImportCheckPage.submit)),
            get(ImportResult.path, editing, isPage: true, .async { try ImportResult.leftOut($0) }),
            reading(ChangesPage.path, editing, ChangesPage.parameters, ChangesPage.page),
            reading(TrashPage.path, editing, TrashPage.parameters, TrashPage.page),
            reading(HealthPage.path, .superAdmin, [], HealthPage.page),
        ]
    }

    /// Files that are received whole, one upload at a time.
    private var uploading: Endpoint {
        Endpoint(
            .editor, body: .file(upTo: ImportPage.limit, "multipart/form-data"), types: [.html], isPage: true,
            handler: .async { call in
                do {
                    return try ImportPage.submit(call)
                } catch let refusal as FormRefusal {
                    let view = view(call)
                    let page = ImportPage.page(view, refusal.state)
                    return response(page, in: view.frame, for: .somebody, status: refusal.status)
                }
            })
    }

    private func page(
        _ pattern: String, _ page: @escaping @Sendable (View) throws -> WebPage,
        reading parameters: [String] = []
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        answer(pattern, { .page(try page($0)) }, reading: parameters)
    }

    private func answer(
        _ pattern: String, _ answer: @escaping @Sendable (View) throws -> Answer,
        reading parameters: [String] = []
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        get(
            pattern, reading: parameters, ignoresCookies: pattern.hasPrefix("/embed/"),
            .cachedRead { call in
                let view = view(call)
                switch try answer(view) {
                case .moved(let response): return response
                case .page(var page):
                    page.followNotices()
                    page.until = page.topics.isEmpty ? nil : view.until
                    let last = Timestamp(microseconds: view.until.microseconds - 1)
                    return CacheableResponse(
                        response: response(page, in: view.frame),
                        until: page.hasClock ? min(last, call.now.endOfMinute) : last)
                }
            })
    }

    func view(_ call: Call) -> View {
        var frame = Frame(settings: call.town.settings, url: service.url)
        frame.person = call.caller.person(in: call.town)
        frame.hasSecretAddress = call.captures.has("token")
        frame.offset = call.townZone.offset(at: call.now)
        if frame.person != nil { frame.waiting = service.waitingCount(for: call.caller, in: call.town) }
        return View(call, frame)
    }

    enum Audience {
        case everybody
        /// Whoever asked: it may have what they typed.
        case somebody
    }

    func response(
        _ page: WebPage, in frame: Frame, for audience: Audience = .everybody, status: Status = .ok
    ) -> Response {
        let isEmbedded = page.use == .embedded
        let body = (isEmbedded ? frame.embedded(page) : frame.around(page)).bytes
        var headers: ResponseHeaders = ["Content-Type": MediaType.html.field]
        let isForAll = audience == .everybody && status == .ok
        headers.add("Cache-Control", isForAll ? "no-cache" : "no-store")
        if isForAll { headers.add("ETag", bytes: EntityTag(of: body).bytes) }
        // Of two policies browsers take the last one that they know (Referrer Policy, 8.1).
        if frame.hasSecretAddress { headers.add("Referrer-Policy", "no-referrer") }
        var response = Response(status, headers: headers, body: body)
        response.sources = isEmbedded ? "frame-ancestors *; style-src 'self'; form-action 'none'" : Self.sources
        return response
    }

    private static let sources =
        "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
        + "form-action 'self'"

    package func response(_ outcome: Outcome, to call: Call) -> Response {
        Response(.noContent)
    }

    package func httpError(_ error: any Error, of call: Call) -> HTTPError { HTTPError(error) }

    package func response(failing error: HTTPError, _ id: RequestID?) -> Response {
        response(failing: error, id, sent: nil)
    }

    /// The same; who has to log in gets the page for that, and nobody loses what they typed.
    package func response(failing error: HTTPError, to request: Request) -> Response {
        // At an address without a page it was not typed: it is what a link of somebody else shows in the town's name.
        let sent = request.method == .post && error.route != nil ? try? Submission(request) : nil
        if error.status == .notFound, request.method == .get, let address = Self.usual(request.target) {
            var moved = Response(.movedPermanently, headers: ["Cache-Control": "no-cache"])
            moved.headers.add("Location", address)
            return moved
        }
        guard error.code == "unauthorized" else { return response(failing: error, request.id, sent: sent) }
        guard request.method == .post else { return .seeOther(LoginPage.address(then: request)) }
        if let refusal = readOnlyRefusal { return response(failing: refusal, request.id, sent: sent) }
        return response(LoginPage.page(keeping: sent, for: request), in: frame, status: .unauthorized)
    }

    /// An address that was typed with capitals or a slash at its end, as the site writes it; nil for any other. What is
    /// below a record keeps its case, and so do the tokens of links.
    private static func usual(_ target: some Collection<UInt8>) -> String? {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        let given = path.split(separator: UInt8(ascii: "/"))
        let hasSlug = ["businesses", "events"].contains { given.first?.map(ASCII.lowercased) == Array($0.utf8) }
        let parts = given.enumerated().map { index, part in
            index < (hasSlug ? 2 : 1) && !part.contains(UInt8(ascii: "%")) ? part.map(ASCII.lowercased) : Array(part)
        }
        let usual = Array("/".utf8) + parts.joined(separator: "/".utf8)
        if usual.elementsEqual(path) { return nil }
        return String(decoding: usual + target[path.endIndex...], as: UTF8.self)
    }

    private var frame: Frame { Frame(settings: service.store.current.town.settings, url: service.url) }

    private func response(failing error: HTTPError, _ id: RequestID?, sent: Submission?) -> Response {
        var shown = response(ErrorPage.page(error, id, sent: sent), in: frame, status: error.status)
        for name in ["Retry-After", "Allow", "WWW-Authenticate"] as [StaticString] {
            if let value = error.headers.first(name) { shown.headers.add(name, value) }
        }
        return shown
    }
}

enum ErrorPage {
    /// By `id` those who run the server find an error of it in the log.
    static func page(_ error: HTTPError, _ id: RequestID?, sent: Submission? = nil) -> WebPage {
        let (title, advice) = words(for: error)
        let isFault = error.status.code >= 500 && error.code != HTTPError.readOnlyCode
        let shown = isFault ? id?.text : nil
        return WebPage(
            title,
            main: """
                <section class="head"><h1>\(title)</h1><p>\(advice)</p>\
                <div class="actions"><a class="button" href="/">Home page</a>\
                <a class="button quiet" href="/businesses">Directory</a></div>\
                \(if: shown, { "<p class=\"small soft\">Request \($0)</p>" })</section>\(if: sent, written)
                """)
    }

    private static func written(_ sent: Submission) -> HTML {
        let texts = sent.texts
        if texts.isEmpty { return "" }
        return """
            <section class="section"><h2>What you wrote</h2><p class="soft">It is not saved. Copy what you need.</p>\
            \(each: texts, { "<p class=\"card\" dir=\"auto\">\($0.value)</p>" })</section>
            """
    }

    private static func words(for error: HTTPError) -> (title: String, advice: String) {
        switch error.status.code {
        case _ where error.code == HTTPError.readOnlyCode:
            ("Nothing can be changed now", error.sentence + " You can still read everything, but not log in.")
        case 404 where error.code == HTTPError.deadReferenceCode: ("This reference has ended", error.sentence)
        case 404: ("Page not found", "It may have been removed, or the address has a mistake.")
        case 410: ("This page is gone", "What was here was removed.")
        case 429: ("Too many requests", "Wait a minute, then reload the page.")
        case 503: ("We are busy at the moment", "Reload the page in a few seconds.")
        case 507: ("The server’s disk is full", "Nothing was changed. Please tell the people who run this site.")
        case 500: ("Something went wrong", "It is not your fault. Reload the page in a minute.")
        case 409, 412: ("This was changed in the meantime", error.sentence + " Go back and reload the page first.")
        case 403: ("You do not have access to this", error.sentence)
        default: ("We could not do this", error.sentence)
        }
    }
}

/// What a page shows: one version of the town, at one time, on the clocks of the town; and until when it stays so.
final class View {
    let call: Call
    let town: Town
    private(set) var frame: Frame
    let words: Words
    let hours: OpenHoursClock
    let events: EventClock
    /// When something on the page opens, closes or ends: at the latest when the day does.
    private(set) var until: Timestamp

    /// - Parameter changed: the town as it would be; nil for the town as it is.
    init(_ call: Call, _ frame: Frame, in changed: Town? = nil) {
        (self.call, self.frame, town) = (call, frame, changed ?? call.town)
        words = Words(at: call.now, in: call.townZone, has24Hours: town.settings.has24Hours)
        (hours, events) = (call.service.openHoursClock(of: town, at: call.now), call.eventClock)
        until = words.zone.start(of: words.today.advanced(by: 1))
        // A script counts on from the offset of now.
        changes(at: hours.moment.clockChange)
        changes(at: town.nextNoticeChange(after: call.now))
        self.frame.notices = NoticesPage.lines(town.currentNotices(at: call.now), words)
    }

    func may(_ access: Access, at slug: Slug) -> Bool {
        (try? access.check(call.caller, slug: slug, in: town)) != nil
    }

    /// Whose drafts a device keeps; nobody's where it would keep the secret of the address.
    var drafts: String { frame.hasSecretAddress ? "" : frame.person.map { "\($0.id)" } ?? "0" }

    /// Takes note that something on the page changes at a time.
    func changes(at moment: Timestamp?) {
        if let moment, moment > call.now { until = min(until, moment) }
    }

    func state(of business: BusinessRecord) -> OpenWords {
        let state = business.openState(at: hours)
        changes(at: state.validUntil)
        return OpenWords(state, words)
    }

    func holiday(on date: CivilDate) -> String? { hours.moment.holidays.name(on: date) }

    /// The time from now, or from the midnight of a later day, for some days.
    func days(_ count: Int, from first: CivilDate? = nil) -> Range<Timestamp> {
        let first = max(first ?? words.today, words.today)
        let start = max(call.now, words.zone.start(of: first))
        return start..<max(start, words.zone.start(of: first.advanced(by: count)))
    }

    var series: UpcomingSeries { call.version.upcomingSeries(at: events) }

    func agenda(of query: EventQuery, limit: Int, each: Int, hasWholeDay: Bool = false) -> Agenda {
        var query = query
        query.series = series
        let agenda = Agenda(of: query, limit: limit, each: each, hasWholeDay: hasWholeDay, in: self)
        changes(at: agenda.firstChange)
        return agenda
    }

    /// The business at which an event takes place. One without a category is not listed: nothing of it is shown.
    func place(of event: EventRecord) -> BusinessRecord? {
        town.business(of: event).flatMap { $0.categoryID == nil ? nil : $0 }
    }

    func category(of business: BusinessRecord) -> Category? { town.category(of: business)?.value }
}

extension String? {
    /// The text, if there is one: clients also send an empty one for none.
    var shown: String? { flatMap(\.shown) }
}

extension String {
    var shown: String? { isEmpty ? nil : self }

    /// The same on one line: no "pm" stands alone.
    var unbroken: String { String(map { $0 == " " ? "\u{A0}" : $0 }) }
}
