import JSON
import SookeModel
import Testing

/// Fills each field of a record with a value: an example of its name, or one of its kind.
///
/// A new field of a usual kind needs nothing here. One with a rule of its own needs an example.
struct FieldFiller<Subject: Described>: FieldVisitor {
    private(set) var subject = Subject()
    /// The fields that are not filled.
    let exceptions: Set<String>

    /// A record with a value in each field but some.
    static func filled(without exceptions: Set<String> = []) -> Subject {
        var filler = FieldFiller(exceptions: exceptions)
        Subject.visit(&filler)
        return filler.subject
    }

    private init(exceptions: Set<String>) { self.exceptions = exceptions }

    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        if exceptions.contains("\(name)") { return }
        guard let text = FieldExamples.byName["\(name)"] ?? FieldExamples.ofKind(Value.kind) else {
            Issue.record("FieldExamples has none of \(name)")
            return
        }
        var (reader, problems) = (JSONReader(Array(text.utf8)), FieldProblems())
        do {
            let value = try Value.read(name, rule, from: &reader, &problems)
            value.validate(name, rule, .input, &problems)
            #expect(problems.isEmpty && !value.isNothing, "\(name) is not like \(text)")
            subject[keyPath: path] = value
        } catch {
            Issue.record("the example \(text): \(error)")
        }
    }
}

/// Values of fields, as JSON. References are to records of `TestTown`.
enum FieldExamples {
    static let byName = [
        "id": "900", "slug": #""every-field""#, "category": #""bars""#, "event_type": #""sports""#,
        "business": #""zeds""#,
        "owner_id": "2", "submitted_by": "3", "confirmed_by": "4", "cancelled_by": "3",
        "email": #""every@field.example""#,
        "website": #""https://field.example/""#, "latitude": "48.25", "longitude": "-123.75",
        "time_zone": #""Europe/Paris""#, "opening_hours": #""Mo-Su 09:00-17:00""#, "rrule": #""FREQ=WEEKLY""#,
        "role": #""business_owner""#, "status": #""cancelled""#, "blocked_links": #"["field.example/spam"]"#,
        "starts_local": #""2031-02-03T05:05:06""#, "ends_local": #""2031-02-03T06:05:06""#,
        "url": #""https://field.example/event""#, "starts_at": #""2031-02-03T04:05:06Z""#,
        "ends_at": #""2031-02-03T05:05:06Z""#,
        "contact_email": #""us@field.example""#, "created_by": "3", "link": #""https://field.example/notice""#,
        "businesses": #"["zeds"]"#, "holidays": #""CA-BC""#, "country": #""IE""#,
        "currency": #""EUR""#, "center": #""48.5,-123.5""#,
        "holiday_dates": #"[{"date":"2031-03-17","name":"Saint Patrick's Day"}]"#,
        "removed": #"["event/17"]"#, "former_slugs": #"["former-field"]"#, "pending_slug": #""pending-field""#,
        "synonyms": #"["word of a field"]"#, "mail_off": #"["holiday"]"#,
        "hours": "["
            + (0...6).map {
                #"{"id":\#(910 + $0),"day_of_week":\#($0),"open_time":"09:00","close_time":"17:00"}"#
            }.joined(separator: ",") + "]",
        "special_hours": #"[{"from":"2031-01-01","to":"2031-01-02","is_closed":true,"reason":"Holiday","notice":7}]"#,
        "menus": """
        [{"id":903,"name":"Lunch","description":"At noon","items":
        [{"id":904,"name":"Soup","description":"Of the day","price":"4.50"}]}]
        """,
        "address": #""https://field.example/calendar.ics""#, "place": #""zeds""#,
        "days": #"[{"date":"2031-01-01","made":1,"changed":2,"withdrawn":3,"bytes":4}]"#,
        "sources": #"[{"calendar":7,"key":"k","part":"source","fields":[{"name":"name","digest":"d"}]}]"#,
        "exdates": #"["2031-02-10T05:05:06"]"#, "rdates": #"["2031-02-11T05:05:06"]"#, "host": #""zeds""#,
        "overrides": #"[{"occurrence":"2031-02-17T05:05:06","is_cancelled":true}]"#,
    ]

    /// An example of a kind; nil where there can be none.
    static func ofKind(_ kind: FieldDescription.Kind) -> String? {
        switch kind {
        case .text: #""some text""#
        case .number: "1.5"
        case .integer: "7"
        case .flag: "true"
        case .moment: #""2030-01-02T03:04:05Z""#
        case .date: #""2030-01-02""#
        case .time: #""09:30:00""#
        case .price: #""14.25""#
        case .choice(let texts): texts.last.map { "\"\($0)\"" }
        default: nil
        }
    }
}
