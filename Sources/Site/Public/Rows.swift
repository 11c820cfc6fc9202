import Bytes
import SookeModel
import Store

extension View {
    /// With `date` they have the hours of that day, else their state now.
    func list(
        _ businesses: some Sequence<BusinessRecord>, from center: Coordinates? = nil, by search: BusinessSearch? = nil,
        on date: CivilDate? = nil
    ) -> HTML { #"<ul class="rows">\#(each: businesses, { row($0, from: center, by: search, on: date) })</ul>"# }

    private func row(
        _ business: BusinessRecord, from center: Coordinates?, by search: BusinessSearch?, on date: CivilDate?
    ) -> HTML {
        if let date {
            let state = OpenWords(business.openDay(on: date, at: hours), words)
            return row(business, state, from: center, by: search)
        }
        return row(business, state(of: business), from: center, by: search)
    }

    private func row(
        _ business: BusinessRecord, _ state: OpenWords, from center: Coordinates?, by search: BusinessSearch?
    ) -> HTML {
        let distance = center.flatMap { center in business.coordinates.map { center.distance(to: $0) } }
        let facts = [category(of: business)?.name, business.addressOrArea, distance.map(Words.distance)]
        let matches = search?.matches(in: business) ?? []
        let item = matches.first { $0.field == .menu }?.item
        return """
            <li data-key="b\(business.id)"><a class="row" href="/businesses/\(path: business.slug.text)">\
            <span class="name" dir="auto">\(marked(business.name, matches))</span>\
            <span class="state \(state.style.rawValue) \
            n">\(if: state.unseen, { "<span class=\"hidden\">\($0)</span>" })\(state.short)</span>\
            <span class="sub">\(line(of: facts))\
            \(if: item, { item in " · menu: “\(marked(item, matches))”" })</span></a></li>
            """
    }

    /// A text in which what was searched for is marked, as far as it is there as it was found.
    private func marked(_ text: String, _ matches: [SearchMatch]) -> HTML {
        if matches.isEmpty { return "\(text)" }
        guard let found = matches.lazy.compactMap({ text.firstRange(ofBytes: $0.text) }).first else { return "\(text)" }
        return
            "\(String(text[..<found.lowerBound]))<mark>\(String(text[found]))</mark>"
            + "\(String(text[found.upperBound...]))"
    }

    /// `isAtPlace`: the page says where all of it is. `hasPhones`: the numbers of the places are there.
    func list(_ days: [Agenda.Day], isAtPlace: Bool = false, hasPhones: Bool = false) -> HTML {
        "\(each: days, { list($0, isAtPlace, hasPhones) })"
    }

    private func list(_ day: Agenda.Day, _ isAtPlace: Bool, _ hasPhones: Bool) -> HTML {
        let key = (day.isWeek ? "w" : "d") + "\(day.date.daysSinceEpoch)"
        let title: HTML = """
            <b\(attribute: "class=\"screen\"", if: words.isNear(day.date))>\(words.name(of: day.date))</b> \
            <span>\(words.subtitle(of: day.date))\(if: holiday(on: day.date), { " · \($0)" })</span>
            """
        let week: HTML = "<b>All week</b> <span>to Sunday \(words.date(day.sunday))</span>"
        return """
            <section class="day" data-key="\(key)"><h3>\(day.isWeek ? week : title)</h3>\
            <ul class="rows">\(each: day.entries, { row($0, in: day, isAtPlace, hasPhones) })</ul></section>
            """
    }

    private func row(_ entry: Agenda.Entry, in day: Agenda.Day, _ isAtPlace: Bool, _ hasPhones: Bool) -> HTML {
        let (event, occurrence) = (entry.event.value, entry.occurrence)
        let (change, days) = (event.override(of: occurrence), words.days(of: occurrence))
        let place = change?.location ?? (isAtPlace ? nil : self.place(of: entry.event)?.name) ?? event.location
        let phone = hasPhones ? self.place(of: entry.event)?.value.phone : nil
        let end = day.isWeek ? nil : words.end(of: occurrence, startingOn: day.date)
        let facts = line(of: [end, place, phone, series(of: event)])
        let (last, months) = (days.upperBound, Words.months)
        let time =
            day.isWeek
            ? "to \(last.day) \(months[last.month - 1].prefix(3))" : words.start(of: occurrence, on: day.date)
        let key = "e\(event.id)-\(occurrence.startsAt.seconds)" + (days.count > 1 ? "-\(day.date.daysSinceEpoch)" : "")
        return """
            <li data-key="\(key)">\
            <a class="row timed\(entry.isCancelled ? " off" : "")" \
            href="\(link: link(to: entry.event, on: occurrence))">\
            <time>\(time)</time><span class="name" \
            dir="auto">\(change?.name ?? event.name)</span><span \
            class="sub">\(entry.isCancelled ? "cancelled" : facts)</span></a></li>
            """
    }

    func link(to event: EventRecord, on occurrence: Occurrence) -> Link {
        Link(under: "/events", event.value.slug, event.name(of: occurrence, at: events, town.business(of: event)))
    }

    /// Some facts on a line. Each is isolated, so that one in Arabic or Hebrew does not turn those beside it around.
    func line(of facts: [String?]) -> HTML {
        var line = HTML()
        for case let fact? in facts where !fact.isEmpty {
            line.append("\(if: !line.isEmpty, " · ")<bdi>\(fact)</bdi>")
        }
        return line
    }

    func series(of event: Event) -> String? {
        guard let text = event.rrule, let rule = try? RecurrenceRule(text), let start = event.startsLocal else {
            return nil
        }
        return words.recurrence(rule, from: start.date)
    }
}

extension StringProtocol {
    func firstRange(ofBytes other: String) -> Range<Index>? {
        let (text, other) = (utf8, other.utf8)
        guard !other.isEmpty, other.count <= text.count else { return nil }
        for start in text.indices where text[start...].starts(with: other) {
            return start..<text.index(start, offsetBy: other.count)
        }
        return nil
    }
}

extension Page {
    func summary(_ noun: String) -> String {
        let part = pageCount > 1 ? ", page \(request.number) of \(pageCount)" : ""
        return total == 0 ? "No \(noun)s." : "\(Count(total, noun))\(part)."
    }

    func links(_ link: (Int) -> Link) -> HTML {
        guard pageCount > 1 else { return "" }
        let number = request.number
        return """
            <nav class="pages" aria-label="Pages">\(if: number > 1 ? min(number - 1, pageCount) : nil, { earlier in
                #"<a class="button quiet" rel="prev" href="\#(link: link(earlier))">Previous</a>"#
            })\(if: hasNext ? number + 1 : nil, { later in
                #"<a class="button quiet" rel="next" href="\#(link: link(later))">Next</a>"#
            })</nav>
            """
    }
}
