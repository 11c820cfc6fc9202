import Bytes
import JSON
import SookeModel
import Store

/// A business for search engines: schema.org's LocalBusiness, as JSON-LD.
enum BusinessData {
    /// How many days of special hours it has.
    private static let special = 30

    static func of(_ business: BusinessRecord, _ view: View) -> HTML {
        let value = business.value
        let json = JSONWriter.object { writer in
            writer.member("@context", "https://schema.org")
            writer.member("@type", PlaceKind.schemaType(of: view.category(of: business)))
            writer.member("@id", view.frame.url + Link.path(business: business.slug))
            writer.member("url", view.frame.url + Link.path(business: business.slug))
            writer.member("name", value.name)
            if let text = value.description.shown { writer.member("description", text) }
            if let text = value.phone.shown { writer.member("telephone", text) }
            if let text = value.email.shown { writer.member("email", text) }
            if let text = value.website, Link(website: text) != nil { writer.member("sameAs", text) }
            writer.object("address") { writer in
                writer.member("@type", "PostalAddress")
                if !value.address.isEmpty { writer.member("streetAddress", value.address) }
                writer.member("addressLocality", view.frame.town)
            }
            if value.isMobile { writer.member("areaServed", value.addressOrArea) }
            if !value.isMobile, let place = business.coordinates { write(place, &writer) }
            writeHours(of: business, view, &writer)
        }
        return .data(json)
    }

    static func write(_ place: Coordinates, _ writer: inout JSONWriter) {
        writer.object("geo") { writer in
            writer.member("@type", "GeoCoordinates")
            writer.member("latitude", place.latitude)
            writer.member("longitude", place.longitude)
        }
    }

    /// The usual week, also while a special one passes, and the special days ahead.
    private static func writeHours(of business: BusinessRecord, _ view: View, _ writer: inout JSONWriter) {
        let week = (1...7).map { $0 % 7 }.flatMap { day in business.usualSpans(day).map { (day: day, span: $0) } }
        if !week.isEmpty {
            writer.array("openingHoursSpecification", week) { part, writer in
                write(part.span, &writer) { $0.member("dayOfWeek", "https://schema.org/" + Words.weekdays[part.day]) }
            }
        }
        let today = view.words.today
        let days = (0..<(business.hasSameHoursEachWeek ? 0 : special)).map { today.advanced(by: $0) }
            .map { (date: $0, day: business.openDay(on: $0, at: view.hours)) }
            .filter { $0.day.isKnown && $0.day.isSpecial }
        let spans = days.flatMap { date, day in
            let spans: [OpenDay.Span?] = day.spans.isEmpty ? [nil] : day.spans
            return spans.map { (date: date.text, span: $0) }
        }
        guard !spans.isEmpty else { return }
        writer.array("specialOpeningHoursSpecification", spans) { part, writer in
            write(part.span, &writer) { writer in
                writer.member("validFrom", part.date)
                writer.member("validThrough", part.date)
            }
        }
    }

    /// - Parameter span: the time; nil for a closed day.
    private static func write(_ span: OpenDay.Span?, _ writer: inout JSONWriter, day: (inout JSONWriter) -> Void) {
        writer.object { writer in
            writer.member("@type", "OpeningHoursSpecification")
            day(&writer)
            // Closed all day is written as an empty time; a whole day ends a minute before midnight.
            let end = span.map { $0.end - $0.start == 1440 ? $0.end - 1 : $0.end } ?? 0
            writer.member("opens", HoursNotation.time(span?.start ?? 0, has24Hours: true))
            writer.member("closes", HoursNotation.time(end, has24Hours: true))
        }
    }
}

/// An event for search engines: schema.org's Event, as JSON-LD.
enum EventData {
    static func of(_ event: EventRecord, _ shown: Occurrence, _ view: View) -> HTML {
        let (value, change) = (event.value, event.value.override(of: shown))
        let json = JSONWriter.object { writer in
            writer.member("@context", "https://schema.org")
            writer.member("@type", "Event")
            writer.member("url", view.frame.url + view.link(to: event, on: shown).text)
            writer.member("name", change?.name ?? value.name)
            if let text = (change?.description ?? value.description).shown { writer.member("description", text) }
            writer.member("startDate", shown.days?.lowerBound.text ?? view.words.rfc3339(shown.startsAt))
            if let end = shown.days?.upperBound.text ?? shown.endsAt.map(view.words.rfc3339) {
                writer.member("endDate", end)
            }
            let isCancelled = value.status == .cancelled || shown.isCancelled
            writer.member("eventStatus", "https://schema.org/" + (isCancelled ? "EventCancelled" : "EventScheduled"))
            writer.member("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
            writer.object("location") { writePlace(of: event, orElse: change?.location, view, &$0) }
            let host = value.host.flatMap { view.town.business($0, among: .listed) }
            if let name = host?.name ?? value.organizer {
                writer.object("organizer") { writer in
                    writer.member("@type", "Organization")
                    writer.member("name", name)
                    if let host { writer.member("url", view.frame.url + Link.path(business: host.slug)) }
                }
            }
            if let price = value.price {
                writer.object("offers") { writer in
                    writer.member("@type", "Offer")
                    writer.member("description", price)
                }
            }
        }
        return .data(json)
    }

    /// - Parameter other: the place of one of its dates that is not the usual one.
    private static func writePlace(
        of event: EventRecord, orElse other: String?, _ view: View, _ writer: inout JSONWriter
    ) {
        let listed = other == nil ? view.place(of: event) : nil
        let words = (other ?? event.value.location).shown
        writer.member("@type", "Place")
        writer.member("name", listed?.name ?? words ?? view.frame.town)
        writer.member("address", (listed?.addressOrArea).shown ?? words ?? view.frame.town)
        if other == nil, let place = event.coordinates ?? listed?.coordinates { BusinessData.write(place, &writer) }
    }
}

/// A business for an address book (vCard 3.0, RFC 2426).
enum ContactCard {
    static func text(of value: Business, at url: String, in town: String) -> String {
        func line(_ name: String, _ text: String?) -> String {
            text.shown.map { "\(name):\(escaped($0))\r\n" } ?? ""
        }
        return "BEGIN:VCARD\r\nVERSION:3.0\r\n" + line("FN", value.name) + "N:\(escaped(value.name));;;;\r\n"
            + line("ORG", value.name) + line("TEL;TYPE=WORK,VOICE", value.phone) + line("EMAIL", value.email)
            + line("URL", value.website)
            + "ADR;TYPE=WORK:;;\(escaped(value.address));\(escaped(town));;;\r\n"
            + line("NOTE", url + Link.path(business: value.slug)) + "END:VCARD\r\n"
    }

    private static func escaped(_ text: String) -> String {
        String(
            text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { line, scalar in
                switch scalar {
                case "\\", ",", ";": line += ["\\", scalar]
                case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": line.append(" ")
                case _ where scalar.value < 0x20: break
                default: line.append(scalar)
                }
            })
    }
}

extension Words {
    func rfc3339(_ moment: Timestamp) -> String {
        let offset = zone.offset(at: moment)
        let local = Timestamp(clampingSeconds: moment.seconds + offset)
        let hours = HoursNotation.time(abs(offset) / 60, has24Hours: true)
        return "\(local.rfc3339.prefix(19))\(offset < 0 ? "-" : "+")\(hours)"
    }
}
