import Bytes
import JSON
import TestSupport
import Testing

@testable import Exchange
@testable import SookeModel

/// Random and hostile files that are not tables: readers never trap, and what they read is well formed.
@Suite struct SourceMutationTests {
    private static let home = TimeZone(name: "America/Vancouver", fixedOffset: -28_800)

    private static let card = """
        BEGIN:VCARD
        VERSION:4.0
        FN:Harbour Books
        item1.ADR;TYPE=work;LABEL="1 Wharf St^nSooke":;Unit 5;1 Wharf St;Sooke;BC;V9Z;Canada
        TEL;VALUE=uri;TYPE="voice,work":tel:+1-250-555-0101;ext=7
        GEO:geo:48.374,-123.726;u=35
        NOTE;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =
        and more
        CATEGORIES:Shops\\, old,Books
        TZ:America/Vancouver
        END:VCARD
        """
    private static let calendar = """
        BEGIN:VCALENDAR
        BEGIN:VTIMEZONE
        TZID:Custom
        X-LIC-LOCATION:America/Vancouver
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:1
        SUMMARY:Jam
        DTSTART;TZID=Custom:20270105T190000
        DURATION:P1DT1H30M
        RRULE:FREQ=WEEKLY;UNTIL=20271231T235959;BYDAY=TU
        EXDATE;VALUE=DATE:20270112,20270119
        RDATE;TZID="Pacific Standard Time":20270113T190000/PT5H
        GEO:48.374;-123.726
        BEGIN:VALARM
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:1
        RECURRENCE-ID;TZID=Custom:20270126T190000
        DTSTART:20270127T030000Z
        DTEND;VALUE=DATE:20270128
        STATUS:CANCELLED
        END:VEVENT
        END:VCALENDAR
        """
    private static let features = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[-123.726,48.374]},
        "properties":{"name":"Pub","addr:street":"Wharf St","addr:housenumber":"1","shop":"books","menus":[],"phone":null}},
        {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,2]]},"properties":{"tags":{"a":true}}}]}
        """
    private static let places = [
        "48°22'26.4\"N 123°43'33.6\"W", "48,374; -123,726", "POINT(-123.726 48.374)", "geo:48.374,-123.726;u=35",
        "https://www.google.com/maps/place/A/@48.1,-123.1,17z/data=!3d48.374!4d-123.726",
        "https://www.openstreetmap.org/?mlat=48.374&mlon=-123.726#map=5/10.1/20.2",
        "https://www.bing.com/maps?cp=48.374~-123.726&sp=point.1_2_x", "geo:0,0?q=48.374,-123.726(A)",
    ]

    @Test(arguments: 0..<Cases.count(2, of: 4)) func mutatedFilesNeverTrap(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var read = 0
        for _ in 0..<400 {
            for file in [Self.card, Self.calendar, Self.features] { read += check(random.damaged(file)) }
            check(place: String(decoding: random.damaged(random.pick(Self.places)), as: UTF8.self))
        }
        #expect(read > 100)
    }

    @Test func everyBeginningIsReadOrRefused() {
        for file in [Self.card, Self.calendar, Self.features] {
            let bytes = Array(file.utf8)
            for length in Cases.sample(bytes.indices, every: 5) { check(Array(bytes[..<length])) }
        }
        for place in Self.places {
            for length in place.utf8.indices { check(place: String(place[..<length])) }
        }
    }

    /// Files of one shape, in which quadratic time would be minutes.
    @Test(arguments: [
        ("a long line", "BEGIN:VCARD\nFN:", "x", ""), ("folded lines", "BEGIN:VCARD\nFN:x", "\n x", "\nEND:VCARD"),
        ("blank lines", "", "\n", ""), ("parameters", "BEGIN:VCARD\nFN", ";A=\"b", ":x\nEND:VCARD"),
        ("carets", "BEGIN:VCARD\nFN;A=", "^n^", ":x"), ("escapes", "BEGIN:VCARD\nORG:", "\\;;", "\nEND:VCARD"),
        ("soft line breaks", "BEGIN:VCARD\nFN;QUOTED-PRINTABLE:", "=\n", "\nEND:VCARD"),
        ("phones", "BEGIN:VCARD\n", "TEL:1\n", "END:VCARD"), ("notes", "BEGIN:VCARD\n", "NOTE:1\n", "END:VCARD"),
        ("open cards", "", "BEGIN:VCARD\n", ""), ("agents", "BEGIN:VCARD\n", "AGENT:\nBEGIN:VCARD\n", ""),
        ("text", "", "text\n", ""), ("open components", "BEGIN:VCALENDAR\n", "BEGIN:X\n", ""),
        ("open events", "BEGIN:VCALENDAR\n", "BEGIN:VEVENT\n", ""),
        ("exceptions", "BEGIN:VEVENT\nDTSTART:20270101\nEXDATE:", "20270101,", "\nEND:VEVENT"),
        ("changes", "", "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20270101\nSUMMARY:x\nEND:VEVENT\n", ""),
        ("events", "", "BEGIN:VEVENT\nUID:1\nDTSTART:20270101\nEND:VEVENT\n", ""),
        ("properties of an event", "BEGIN:VEVENT\n", "CONTACT:x\n", "DTSTART:20270101\nEND:VEVENT"),
        ("features", "{\"type\":\"FeatureCollection\",\"features\":[", "{},", "{}]}"), ("arrays", "", "[", ""),
        ("points", "{\"geometry\":{\"type\":\"MultiPoint\",\"coordinates\":[", "[1,2],", "[1,2]]}}"),
        ("documents", "", "{}\n", ""), ("degrees", "", "48°", ""), ("pins", "https://a.example/", "!3d1", ""),
        ("numbers", "POINT(", "1 ", ")"), ("parameters of a link", "https://a.example/?", "q=1&", ""),
    ])
    func largeFiles(shape: String, start: String, repeated: String, end: String) {
        let text = start + String(repeating: repeated, count: 10_000) + end
        check(Array(text.utf8))
        check(place: String(text.prefix(PlaceText.longestText)))
        check(place: text)
    }

    @Test func manyNames() {
        let names = (0..<5_000).map { "X\($0):\n" }.joined()
        check(Array("BEGIN:VCARD\n\(names)END:VCARD\n".utf8))
        check(Array("BEGIN:VEVENT\n\(names)DTSTART:20270101\nEND:VEVENT\n".utf8))
        let keys = (0..<9_000).map { "\"a:\($0)\":1,\"b\($0)\":1" }
        check(Array("{\"type\":\"Feature\",\"properties\":{\(keys.prefix(4_900).joined(separator: ","))}}".utf8))
    }

    /// Reads a file with each reader; returns how many records could be read.
    @discardableResult
    private func check(_ bytes: [UInt8]) -> Int {
        let lines = bytes.count { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn } + 1
        var (last, read) = (0, 0)
        for line in ContentLineReader(bytes) {
            #expect(line.number > last && line.number <= lines)
            last = line.number
        }
        for record in VCardReader.records(of: bytes) + GeoJSONReader.records(of: bytes) {
            #expect(1...lines ~= record.line)
            #expect(Set(record.cells.map(\.column)).count == record.cells.count)
            if record.problem == nil { read += 1 }
        }
        for entry in CalendarReader.read(bytes).entries {
            #expect(1...lines ~= entry.line)
            guard
                let patch = try? entry.patch(in: Self.home, find: { $0 == "America/Vancouver" ? Self.home : nil })
            else { continue }
            read += 1
            check(patch)
        }
        return read
    }

    /// What is read of an event can be validated, and stored if it is valid.
    private func check(_ patch: Patch<Event>) {
        var problems = FieldProblems()
        patch.values.validateInput(&problems)
        guard problems.isEmpty else { return }
        let written = patch.values.written
        var reader = JSONReader(written)
        var again = Event()
        #expect((try? again.readFields(from: &reader, unknown: .reported(), &problems)) != nil && problems.isEmpty)
        #expect(again.written == written)
    }

    private func check(place text: String) {
        if let place = try? PlaceText.coordinates(text) {
            #expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180)
        }
        if let degrees = try? PlaceText.latitude(text) { #expect(abs(degrees) <= 90) }
        if let degrees = try? PlaceText.longitude(text) { #expect(abs(degrees) <= 180) }
    }
}

extension SplitMix64 {
    /// A text with a few pieces replaced, removed, repeated or exchanged. The bytes are UTF-8.
    fileprivate mutating func damaged(_ text: String) -> [UInt8] {
        let pieces = [
            "\n", "\r", " ", ":", ";", ",", "\"", "\\", "=", "^", "'", "°", "-", ".", "9", "0", "/", "!", "@", "?", "#",
            "&", "%", "%2C", "T", "Z", "P", "{", "}", "[", "]", "null", "1e400", "é", "\0", "BEGIN:VEVENT\n",
            "END:VCARD\n",
            "99991231T235959Z", "00000101T000000", "DTSTART:20270101\n", "P99999D", "RRULE:FREQ=DAILY\n", "\u{1E}",
        ]
        var bytes = Array(text.utf8)
        for _ in 0...below(4) where !bytes.isEmpty {
            let start = below(bytes.count)
            let end = min(start + below(12), bytes.count)
            switch below(4) {
            case 0: bytes.replaceSubrange(start..<end, with: pick(pieces).utf8)
            case 1: bytes.insert(contentsOf: pick(pieces).utf8, at: start)
            case 2: bytes.removeSubrange(start..<end)
            default: bytes.insert(contentsOf: bytes[start..<end], at: below(bytes.count))
            }
        }
        return Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
}
