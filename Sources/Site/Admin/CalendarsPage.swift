import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/admin/calendars`: the calendars of others whose events are fetched, how they are, and what waits for an editor.
enum CalendarsPage {
    static let path = "/admin/calendars"

    private typealias Action = (path: String, action: @Sendable (Call, Submission) async throws -> Response)

    static let actions: [(path: String, action: @Sendable (Call, Submission) async throws -> Response)] =
        TownService.CalendarStep.allCases.map { step in
            action("/{id}/" + step.rawValue) { call in
                try await call.run { try $0.take(step, of: call.id(), for: $1) }
            }
        } + [
            action("/{id}/pause") { try await pause($0, true) }, action("/{id}/resume") { try await pause($0, false) },
            action("/fetch") { try $0.service.fetchCalendars(of: $0.caller) },
        ]

    private static func action(
        _ name: String, _ body: @escaping @Sendable (Call) async throws -> Void
    ) -> Action {
        let action: @Sendable (Call, Submission) async throws -> Response = { call, _ in
            try await body(call)
            return .seeOther(path + "?done=done")
        }
        return (path + name, action)
    }

    private static func pause(_ call: Call, _ isPaused: Bool) async throws {
        var patch = Patch<PulledCalendar>()
        (patch.values.isPaused, patch.fields) = (isPaused, ["is_paused"])
        let input = PatchInput(patch)
        try await call.run { try $0.updateCalendar(call.id(), input, for: $1) }
    }

    static func page(_ view: View) -> WebPage {
        let calendars = view.call.service.calendars(for: view.call.caller, in: view.town)
        let events = PulledEvents(view.town)
        return WebPage(
            "Calendars", .form, tab: .account, topics: ["event"],
            main: """
                \(AdminParts.head("Calendars", view))<section class="section"><p>We fetch the calendars of others, \
                such as the library’s, and keep their events up to date here.</p>\(nobodyFetches(view))\
                <div class="actions">\
                <a class="button" href="/admin/calendars/new">Add a calendar</a>\(if: !calendars.isEmpty, """
                    <form method="post" action="/admin/calendars/fetch">\
                    <button class="quiet">Fetch all now</button></form>
                    """)</div></section><div class="stack">\(each: calendars, { card(of: $0, events, view) })</div>
                """)
    }

    /// Unless something has asked for work lately.
    static func nobodyFetches(_ view: View) -> HTML {
        if view.call.service.fetches.isFollowed { return "" }
        return """
            <p class="problem">Nothing fetches calendars on this server: start <code>sooke outside --follow</code>.</p>
            """
    }

    private static func card(of calendar: PulledCalendar, _ events: PulledEvents, _ view: View) -> HTML {
        let fetches = view.call.service.fetches
        let (goodAt, leftOut) = fetches.state(of: calendar.id)
        let last = calendar.lastGoodAt.map { goodAt ?? $0 }
        let next = fetches.due(calendar).map {
            $0 <= view.call.now ? "next as soon as we can" : "next \(view.words.moment($0))"
        }
        let facts = [last.map { "Fetched \(view.words.ago($0))" } ?? "Not fetched yet", next ?? "paused"]
        return """
            <article class="card" data-key="c\(calendar.id)"><h2 dir="auto">\(calendar.name)</h2><p class="small soft">\
            \(facts.joined(separator: ", ")).\(if: events.others[calendar.id], { count in
                " \(Count(count, "event").description) of it \(count == 1 ? "was" : "were") here already."
            })</p>\(needs(of: calendar, events, view))\(chart(of: calendar, view))\
            \(if: !leftOut.isEmpty, CalendarCheckPage.leftOut(leftOut))<div class="actions">\
            \(if: !calendar.isPaused, button("fetch", "Fetch now", calendar))\
            \(button(calendar.isPaused ? "resume" : "pause", calendar.isPaused ? "Resume" : "Pause", calendar))\
            <a class="button plain" href="/admin/calendars/\(path: "\(calendar.id)")">Change</a></div></article>
            """
    }

    private static func button(_ action: String, _ label: String, _ calendar: PulledCalendar) -> HTML {
        """
        <form method="post" action="/admin/calendars/\(path: "\(calendar.id)")/\(path: action)">\
        <button class="quiet">\(label)</button></form>
        """
    }

    /// For the page of what waits.
    static func lines(_ view: View) -> HTML {
        let calendars = view.call.service.calendars(for: view.call.caller, in: view.town)
        if calendars.isEmpty { return "" }
        let events = PulledEvents(view.town)
        return """
            \(each: calendars, { calendar in
                if calendar.failingSince != nil, calendar.acceptedAt != nil, calendar.gone == nil,
                    !calendar.hasFailedLong(at: view.call.now)
                {
                    return ""
                }
                let needs = needs(of: calendar, events, view)
                if needs.isEmpty { return "" }
                return """
                    <article class="card" data-key="c\(calendar.id)"><p class="small soft">Calendar</p><h2 dir="auto">\
                    <a href="/admin/calendars">\(calendar.name)</a></h2>\(needs)</article>
                    """
            })
            """
    }

    private static func needs(of calendar: PulledCalendar, _ events: PulledEvents, _ view: View) -> HTML {
        """
        \(if: calendar.isPaused ? nil : calendar.failingSince, { since in
            """
            <p class="problem">We cannot fetch it: \(calendar.words ?? "no answer"). That began \
            \(view.words.ago(since)).</p>
            """
        })\(if: calendar.gone, { gone in
            """
            <p><strong>\(gone) of its \(calendar.goneOf ?? gone) coming events are missing at once.</strong> They stay \
            until you decide.</p><div class="actions">\(button("gone", "They are gone", calendar))\
            \(button("keep", "Keep them", calendar))</div>
            """
        })\(if: events.pending[calendar.id], { count in
            """
            <p>\(Count(count, "event").description) of it \(count == 1 ? "waits" : "wait").</p><div class="actions">\
            <form method="post" action="/admin/calendars/\(path: "\(calendar.id)")/accept">\
            <button>\(count == 1 ? "Publish it" : "Publish all")</button></form></div>
            """
        })
        """
    }

    private static let height = 20

    /// A bar a day, with the numbers as text.
    private static func chart(of calendar: PulledCalendar, _ view: View) -> HTML {
        let days = calendar.days.filter { -30 < $0.date.daysSinceEpoch - view.words.today.daysSinceEpoch }
        let most = days.map(\.all).max() ?? 0
        if most == 0 { return "" }
        let bars = days.map { day in
            let bar = (day.all * height + most - 1) / most
            return "M\(29 + day.date.daysSinceEpoch - view.words.today.daysSinceEpoch) \(height)v-\(bar)h.8v\(bar)z"
        }
        let texts = days.filter { $0.all > 0 }.map { "\(view.words.date($0.date)): \($0.text)" }
        let sum = days.reduce(into: PulledDay()) { sum, day in
            sum.made += day.made
            sum.changed += day.changed
            sum.withdrawn += day.withdrawn
        }
        return """
            <svg class="bars" viewBox="0 0 30 \(height)" preserveAspectRatio="none" role="img" \
            aria-label="\(texts.joined(separator: "; "))"><path d="\(bars.joined())"/></svg>\
            <p class="small soft">In 30 days: \(sum.text).</p>
            """
    }
}

extension PulledDay {
    fileprivate var all: Int { made + changed + withdrawn }
    fileprivate var text: String {
        [(made, "new"), (changed, "changed"), (withdrawn, "withdrawn")].filter { $0.0 > 0 }
            .map { "\($0) \($1)" }.joined(separator: ", ")
    }
}

/// How many events of each calendar wait for an editor, and how many follow another source.
private struct PulledEvents {
    private(set) var pending: [Int: Int] = [:]
    private(set) var others: [Int: Int] = [:]

    init(_ town: Town) {
        for event in town.events.inOrderOfID.lazy.map(\.value) where !event.sources.isEmpty {
            for source in event.sources {
                if source.part == .other { others[source.calendar, default: 0] += 1 }
                if source.part == .source, event.status == .pendingReview { pending[source.calendar, default: 0] += 1 }
            }
        }
    }
}
