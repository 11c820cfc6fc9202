import HTTP
import JSON
import Service
import SookeModel
import Store

/// The responses to changes, rendered from the outcome of the transaction, outside of it.
extension Call {
    /// The response to a change: the body of a read of the record in the version that the transaction made.
    func response(_ outcome: Outcome) -> Response {
        switch outcome {
        case .created(let record): response(record, status: .created)
        case .updated(let record): response(record)
        case .deleted: Response(.noContent)
        case .stored(let receipt): Response(stored: receipt)
        }
    }

    /// The response to a change that failed. For a stale version it contains the current record.
    func httpError(_ error: ServiceError) -> HTTPError {
        var result = HTTPError(error)
        switch error {
        case .preconditionFailed(let current?), .versionExcluded(let current?):
            let body = body(current)
            result.detail = (name: "current", json: body)
            result.headers.add("ETag", bytes: EntityTag(record: current.digest, body: body).bytes)
        default: break
        }
        return result
    }

    /// The same for any error of a use case or of its input.
    func httpError(_ error: any Error) -> HTTPError {
        if let error = error as? ServiceError { httpError(error) } else { HTTPError(error) }
    }

    private func response(_ record: JoinedRecord, status: Status = .ok) -> Response {
        let (path, name) = record.address
        return .changed(body(record), record: RecordValidators(record), at: path, name, status: status)
    }

    private func body(_ record: JoinedRecord) -> [UInt8] {
        switch record {
        case .category(let term): term.json
        case .eventType(let term): term.json
        case .business(let business, let category): detail(of: business, category: category)
        case .event(let event, let type, let business): detail(of: event, type: type, at: business)
        case .person(let person): person.shown
        }
    }
}

extension JoinedRecord {
    /// The path of its kind, with a trailing slash, and its own part of the path.
    fileprivate var address: (path: String, name: String) {
        switch self {
        case .category(let term): ("/api/v1/categories/", term.value.slug.text)
        case .eventType(let term): ("/api/v1/event-types/", term.value.slug.text)
        case .business(let business, _): ("/api/v1/businesses/", business.slug.text)
        case .event(let event, _, _): ("/api/v1/events/", event.value.slug.text)
        case .person(let person): ("/api/v1/users/", "\(person.id)")
        }
    }
}

extension RecordValidators {
    fileprivate init(_ record: JoinedRecord) {
        switch record {
        case .category(let term): self.init(term)
        case .eventType(let term): self.init(term)
        case .business(let business, _): self.init(business)
        case .event(let event, _, _): self.init(event)
        case .person(let person): self.init(person)
        }
    }
}

extension Response {
    /// The response that an earlier version of the program stored.
    fileprivate init(stored receipt: Receipt) {
        var headers = Self.plainHeaders
        if let tag = receipt.tag { headers.add("ETag", tag) }
        if let location = receipt.location { headers.add("Location", location) }
        self.init(receipt.isOfCreation ? .created : .ok, headers: headers, body: Array((receipt.body ?? "").utf8))
    }
}
