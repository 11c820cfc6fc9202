import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/notices`: what the town has to say now, and how who may change it does so by one tap.
enum NoticesPage {
    /// How many stand above each page, and how many that are over editors see.
    private static let (above, mostOver) = (3, 20)

    /// Above each page: the first ones in two lines each, the others behind a link.
    static func lines(_ notices: [Notice], _ words: Words) -> HTML {
        """
        <div role="status" id="notices">\(each: notices.prefix(above), { notice in
            let text = [end(notice, words), notice.text].compactMap(\.shown).joined(separator: " · ")
            return """
                <p class="notice \(notice.severity.rawValue)" data-key="n\(notice.id)"><a \
                href="/notices#n\(path: "\(notice.id)")"><b \
                dir="auto">\(severity(notice))\(notice.title.excerpt(bytes: 200))</b> <span \
                dir="auto">\(text.excerpt(bytes: 100))</span></a></p>
                """
        })\(if: notices.count > above, "<p><a href=\"/notices\">and \(notices.count - above) more</a></p>")</div>
        """
    }

    static func severity(_ notice: Notice) -> String {
        notice.severity == .information ? "" : notice.severity == .danger ? "Danger: " : "Warning: "
    }

    private static func end(_ notice: Notice, _ words: Words, isOnPaper: Bool = false) -> String {
        notice.until.map { "Until \(words.moment($0, isOnPaper: isOnPaper))" } ?? "Until further notice"
    }

    static func page(_ view: View) throws -> WebPage {
        let isEditor = view.call.caller.isEditor(in: view.town)
        let others = isEditor ? view.town.notices.inOrderOfID.filter { !$0.isCurrent(at: view.call.now) } : []
        let coming = others.filter { $0.state == .scheduled }
        let over = others.filter { $0.state != .scheduled }.suffix(mostOver).reversed()
        let current = cards(view)
        var page = WebPage(
            "Notices", isEditor ? .form : .reading, tab: isEditor ? .account : nil, topics: ["business"],
            main: """
                <section class="head"><h1>Notices</h1>\(view.done)\(if: isEditor, """
                    <div class="actions"><a class="button" href="/admin/new-notice">New notice</a></div>
                    """)</section><div class="stack">\(current.isEmpty ? "<p>There is nothing now.</p>" : current)\
                \(each: [("Coming", coming), ("Over", Array(over))], { title, notices in
                    if notices.isEmpty { return "" }
                    return """
                        <section class="section"><h2>\(title)</h2>\(each: notices, { card($0, view) })</section>
                        """
                })</div>
                """)
        page.path = "/notices"
        page.description = "What the town has to say now: closures, warnings, and until when they hold."
        page.hasOwnNotices = true
        return page
    }

    static func cards(_ view: View) -> HTML {
        "\(each: view.town.currentNotices(at: view.call.now), { card($0, view) })"
    }

    private static func card(_ notice: Notice, _ view: View, question: Bool = false) -> HTML {
        let (words, isOn) = (view.words, notice.since.map { $0 <= view.call.now } ?? true)
        let facts = [
            end(notice, words, isOnPaper: true),
            notice.since.map { "\(isOn ? "since" : "from") \(words.moment($0, isOnPaper: true))" },
            notice.until == nil ? notice.confirmedAt.map { "last confirmed \(words.ago($0))" } : nil,
        ]
        let places = notice.businesses.compactMap { view.town.business(at: $0) }.filter { $0.categoryID != nil }
        return """
            <article class="card notice \(notice.severity.rawValue)" id="n\(notice.id)"><h2 \
            dir="auto">\(severity(notice))\(notice.title)</h2><p class="small">\
            \(facts.compactMap(\.self).joined(separator: ", "))</p>\(if: notice.text.shown, BusinessPage.paragraphs)\
            \(if: notice.area.shown, { "<p>Where: <bdi>\($0)</bdi></p>" })\
            \(if: !places.isEmpty, """
                <p>\(notice.closes ? "Closed: " : "")\(each: places, { place in
                    #"<a dir="auto" href="/businesses/\#(path: place.slug.text)">\#(place.name)</a> "#
                })</p>
                """)\
            \(if: notice.link.flatMap { Link(website: $0) }, { "<p><a href=\"\(link: $0)\">More about it</a></p>" })\
            \(if: question, "<p><strong>Is it still right?</strong></p>")\(actions(notice, view, question))</article>
            """
    }

    private static func actions(_ notice: Notice, _ view: View, _ question: Bool) -> HTML {
        let (service, caller) = (view.call.service, view.call.caller)
        guard view.frame.person != nil, service.mayStep(notice, caller, in: view.town) else { return "" }
        let steps: [(step: TownService.NoticeStep, label: String)?] = [
            question ? (.confirm, notice.until == nil ? "Still right" : "It may end then") : nil,
            notice.state != .over ? (.end, "It is over") : nil, notice.until != nil ? (.extend, "One more day") : nil,
        ]
        return """
            <div class="actions">\(each: steps.compactMap(\.self), { step in
                """
                <form method="post" action="/account/notices/\(path: notice.slug.text)/\(path: step.step.rawValue)">\
                <button class="quiet">\(step.label)</button></form>
                """
            })\(if: caller.isEditor(in: view.town), """
                <a class="button plain" href="/admin/notices/\(path: notice.slug.text)">Change</a>
                """)</div>
            """
    }

    /// What a person is asked about on the page of what waits.
    static func questions(_ notices: [Notice], _ view: View) -> HTML {
        "\(each: notices, { card($0, view, question: true) })"
    }

    static let actions: [(path: String, action: @Sendable (Call, Submission) async throws -> Response)] =
        TownService.NoticeStep.allCases.map { step in
            (
                "/account/notices/{slug}/\(step.rawValue)",
                { call, _ in
                    try await call.run { try $0.take(step, of: call.slug(), for: $1) }
                    return .seeOther(step == .confirm ? WaitingPage.path + "?done=done" : "/notices?done=saved")
                }
            )
        } + [(BusinessFactsPage.path + "/closed-today", closeToday)]

    private static func closeToday(_ call: Call, _ sent: Submission) async throws -> Response {
        let business = try OwnBusiness.find(call, in: call.town)
        try await call.run { $0.closeToday(business.slug, for: $1) }
        return .seeOther(try OwnBusiness.path(call, "?done=saved"))
    }

    /// On the page of a place: one tap closes it for today, another one takes that back.
    static func today(of business: BusinessRecord, _ view: View) -> HTML {
        if business.categoryID == nil { return "" }
        let known = view.town.currentNotices(at: view.call.now).first { notice in
            notice.closes && notice.businesses.contains { view.town.business(at: $0)?.id == business.id }
        }
        return known.map { card($0, view) } ?? """
            <form class="actions" method="post" data-key="closed" \
            action="/account/businesses/\(path: business.slug.text)/closed-today"><button class="quiet">Closed \
            today</button></form>
            """
    }
}

extension Words {
    /// A time: `9 am`, `tomorrow, 9 am`, `Sat 28 Nov, noon`; on paper always with the date.
    func moment(_ moment: Timestamp, isOnPaper: Bool = false) -> String {
        let (date, minute) = local(moment)
        if date == today, !isOnPaper { return time(minute) }
        return "\(isNear(date) && !isOnPaper ? "tomorrow" : shortDate(date)), \(time(minute))"
    }
}
