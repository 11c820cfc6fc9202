import Bytes
import Dispatcher
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

    private func response(_ joined: some JoinedRecord, status: Status = .ok) -> Response {
        let record = joined.record
        return .changed(body(joined), record: RecordValidators(record), status: status) {
            "/api/v1/\(joined.kind.segment)/\(PercentCoding.encode(record.address.utf8))"
        }
    }

    private func body(_ record: some JoinedRecord) -> [UInt8] {
        (record as? any RepresentedRecord)?.body(for: self) ?? record.record.value.shown
    }
}

/// A record whose body in responses has more than its fields, or has them in another order.
protocol RepresentedRecord: JoinedRecord {
    /// The body of a response with the record alone.
    func body(for call: Call) -> [UInt8]
}

extension PlainRecord: RepresentedRecord where Record == Person {
    func body(for call: Call) -> [UInt8] { record.shown }
}

extension Described {
    /// The fields that responses show, as an object.
    var shown: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeFields(FieldSet { $0.contains(.shown) }, to: &writer)
        writer.endObject()
        return writer.bytes
    }
}

extension RecordKind {
    /// The segment of paths for records of this kind, such as `event-types`.
    package var segment: String { collection.split(separator: "_").joined(separator: "-") }
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
