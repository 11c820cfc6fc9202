import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

extension Response {
    /// A successful response has an entity tag; `record` is the one in the body, if it has one alone.
    static func json(_ body: [UInt8], status: Status = .ok, record: RecordValidators? = nil) -> Response {
        var headers = jsonHeaders
        if status == .ok {
            if let record { headers.add(record, body) } else { headers.add("ETag", bytes: EntityTag(of: body).bytes) }
        }
        return Response(status, headers: headers, body: body)
    }

    /// The body and entity tag of a read at this time, and the path of a record that was created.
    static func changed(
        _ body: [UInt8], record: RecordValidators, status: Status = .ok, location: () -> String
    ) -> Response {
        var headers = plainHeaders
        headers.add(record, body)
        if status == .created { headers.add("Location", location()) }
        return Response(status, headers: headers, body: body)
    }

    static func plainJSON(_ body: [UInt8], status: Status = .ok) -> Response {
        Response(status, headers: plainHeaders, body: body)
    }

    /// `{"error":{"code":…,"message":…,"fields":{…}, "request_id":…}}`, with `fields` only if fields are invalid.
    /// Nothing else renders an error.
    package static func error(_ error: HTTPError, _ id: RequestID?) -> Response {
        let body = JSONWriter.object { writer in
            writer.object("error") { writer in
                writer.member("code", error.code)
                writer.member("message", error.message)
                if !error.fields.isEmpty {
                    writer.object("fields") { writer in
                        for (name, message) in error.fields {
                            writer.key(name)
                            writer.string(message)
                        }
                    }
                }
                if let detail = error.detail { writer.member(detail.name, raw: detail.json) }
                if let id { writer.member("request_id", id.text) }
            }
        }
        var headers = error.headers
        headers.add("Content-Type", "application/json")
        headers.add("Cache-Control", "no-store")
        return Response(error.status, headers: headers, body: body)
    }

    static let plainHeaders: ResponseHeaders = ["Content-Type": "application/json", "Cache-Control": "no-store"]

    /// Caches must revalidate, because a response may depend on the clock, such as the hours of today.
    private static let jsonHeaders: ResponseHeaders = ["Content-Type": "application/json", "Cache-Control": "no-cache"]
}

extension CacheableResponse {
    static func json(_ body: [UInt8], record: RecordValidators? = nil, until: Timestamp) -> CacheableResponse {
        CacheableResponse(response: .json(body, record: record), until: until)
    }
}

extension ResponseHeaders {
    /// Preconditions on the time are not evaluated, because the tag is more precise.
    fileprivate mutating func add(_ record: RecordValidators, _ body: [UInt8]) {
        add("ETag", bytes: EntityTag(record: record.digest, body: body).bytes)
        if let updated = record.updated { add("Last-Modified", updated.httpDate) }
    }
}

extension [UInt8] {
    /// `{"items":[…]}`; `rest` writes further members.
    static func items<Item>(
        _ elements: [Item], _ write: (Item, inout JSONWriter) -> Void, and rest: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        // About the size of an item, to avoid growing the buffer step by step.
        JSONWriter.object(reservingCapacity: 256 + 768 * elements.count) { writer in
            writer.array("items", elements, write)
            rest(&writer)
        }
    }

    /// `{"items":[…],"pagination":{…}}`; `rest` writes further members.
    static func list<Record>(
        _ page: Page<Record>, _ write: (Record, inout JSONWriter) -> Void,
        and rest: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        items(page.records, write) { writer in
            writer.pagination(of: page, number: page.request.number)
            rest(&writer)
        }
    }
}

extension JSONWriter {
    /// - Parameters:
    ///   - number: nil for a page that was requested by a cursor.
    ///   - next: the cursor of the page after that one.
    mutating func pagination<Record>(of page: Page<Record>, number: Int?, next: String? = nil) {
        pagination(number, size: page.request.size, total: page.total, pages: page.pageCount, next: next)
    }

    mutating func pagination(_ number: Int?, size: Int, total: Int, pages: Int, next: String? = nil) {
        object("pagination") { writer in
            writer.member("page", number)
            writer.member("per_page", size)
            writer.member("total_items", total)
            writer.member("total_pages", pages)
            if number == nil { writer.member("next_cursor", next) }
        }
    }
}

extension Call {
    func response(_ outcome: Outcome) -> Response {
        switch outcome {
        case .created(let record): response(record, status: .created)
        case .updated(let record): response(record)
        case .deleted: Response(.noContent)
        }
    }

    /// For a stale version it contains the current record.
    func httpError(_ error: ServiceError) -> HTTPError {
        var result = HTTPError(error)
        switch error {
        case .preconditionFailed(let current?), .versionExcluded(let current?):
            let body = body(current)
            result.detail = (name: "current", json: body)
            result.headers.add("ETag", bytes: EntityTag(record: current.record.digest, body: body).bytes)
        default: break
        }
        return result
    }

    func httpError(_ error: any Error) -> HTTPError {
        if let error = error as? ServiceError { httpError(error) } else { HTTPError(error) }
    }

    private func response(_ joined: Joined, status: Status = .ok) -> Response {
        let record = joined.record
        return .changed(body(joined), record: RecordValidators(record), status: status) {
            "/api/v1/\(record.kind.segment)/\(PercentCoding.encode(record.pathSegment.utf8))"
        }
    }

    private func body(_ joined: Joined) -> [UInt8] {
        switch joined {
        case .business(let business): business.body(for: self)
        case .event(let event): event.body(for: self)
        case .proposal(let proposal): proposal.shown
        case .plain(let person as Person): person.shown
        case .plain(let calendar as PulledCalendar): calendar.body(for: self)
        case .plain(let record): record.value.shown
        }
    }
}

extension Described {
    var shown: [UInt8] {
        JSONWriter.object { writeFields(FieldSet { $0.contains(.shown) }, to: &$0) }
    }
}

extension RecordKind {
    /// Of paths, such as `event-types`.
    package var segment: String { collection.split(separator: "_").joined(separator: "-") }
}
