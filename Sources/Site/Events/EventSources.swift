import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// The calendars that an event came from, for its page and for editors.
enum EventSources {
    /// `From the calendar “Library”`, with a link to the event's own page.
    static func line(_ event: Event, _ view: View) -> HTML {
        guard let name = name(of: event.source, view) else { return "" }
        let url = event.url.flatMap(Link.init(website:))
        return """
            <p class="small soft">\(if: url == nil, "From the calendar “<bdi>\(name)</bdi>”")\(if: url, { url in
                """
                <a rel="nofollow ugc" href="\(link: url)">From the calendar “<bdi>\(name)</bdi>”</a>
                """
            })</p>
            """
    }

    /// What the calendar says where somebody has edited that here, and the others that have the event.
    static func section(_ event: Event, _ form: EventForm, _ view: View) -> HTML {
        guard view.call.caller.isEditor(in: view.town), let name = name(of: event.source, view) else { return "" }
        let ours = Dictionary(form.texts(of: event).map { ($0.name, $0.text) }) { first, _ in first }
        let edited = event.source?.fields.filter { $0.value != nil } ?? []
        let others = event.sources.filter { $0.part == .other }
        return """
            <section class="section" id="sources"><h2>From the calendar “<bdi>\(name)</bdi>”</h2>\
            <p class="soft small">What you change here stays. The rest follows the calendar.</p>\
            \(each: edited, { field in
                guard let patch = event.theirs(field.name) else { return "" }
                let theirs = form.texts(of: patch.applied(to: event)).filter { ours[$0.name] != $0.text }
                return """
                    <dl class="pair small">\(each: theirs, { theirs in
                        """
                        <dt>\(EventMarkup.labels[theirs.name] ?? theirs.name)</dt><dd dir="auto">here: \
                        \(ours[theirs.name]?.shown ?? "nothing")<br>there: \(theirs.text.shown ?? "nothing")</dd>
                        """
                    })</dl>\(action("take-theirs", "field", field.name, "Take theirs", event))
                    """
            })\(each: others, { other in
                """
                <p>Also in the calendar “<bdi>\(self.name(of: other, view) ?? "")</bdi>”.</p>\
                \(action("tell-apart", "calendar", "\(other.calendar)", "These are two events", event))
                """
            })</section>
            """
    }

    static func name(of source: EventSource?, _ view: View) -> String? {
        source.flatMap { view.town.calendars[$0.calendar] }?.name
    }

    private static func action(_ step: String, _ name: String, _ value: String, _ label: String, _ event: Event) -> HTML
    {
        """
        <form class="actions" method="post" action="/account/events/\(path: event.slug.text)/\(path: step)"><input \
        type="hidden" name="\(name)" value="\(value)"><button class="quiet">\(label)</button></form>
        """
    }
}
