import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/proposals`: deciding on what people sent in. They send it by forms of the pages.
enum ProposalRoutes {
    private static let path = "/api/v1/proposals"

    static func add(to routes: inout RouteList) {
        routes.add(
            .get, path, "Lists the open proposals that the caller may decide on, the oldest first", .member,
            gives: .page(.proposal), query: [.page, .perPage], .read(list))
        routes.add(
            .post, path + "/{id}/accept",
            "Accepts a proposal in the version that was read: creates the event, or changes the business", .member,
            takes: .one(.proposalAcceptance), gives: .one(.proposal), .transaction(accept))
        routes.add(
            .post, path + "/{id}/reject", "Rejects a proposal", .member, takes: .one(.rejection),
            gives: .one(.proposal), .transaction(reject))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let page = call.service.proposals(visibleTo: call.caller, page: try call.page(), in: call.town)
        return .plainJSON(.list(page) { $1.raw($0.shown) })
    }

    private static func accept(_ call: Call) throws -> Transaction<Outcome> {
        let proposal = try proposal(call)
        let given = call.request.body.isEmpty ? Acceptance() : try acceptance(call, of: proposal.about)
        return try call.service.acceptProposal(
            proposal.id, with: given.changes, versions: given.version.map(Precondition.Versions.init(named:)),
            for: call.context())
    }

    private static func reject(_ call: Call) throws -> Transaction<Outcome> {
        let id = try proposal(call).id
        let reason = try call.validFields(.rejection, maximumBytes: Event.longestReason)["reason"] ?? ""
        return try call.service.rejectProposal(id, reason: reason, for: call.context())
    }

    /// For a caller who may not decide on it, it does not exist, even if the body is invalid.
    private static func proposal(_ call: Call) throws -> Proposal {
        try call.service.proposal(call.id(), for: call.caller, in: call.town).record
    }

    private struct Acceptance {
        var version: String?
        var changes: ProposedChanges?
    }

    /// Problems of the changes are left to the use case, which finds further ones.
    private static func acceptance(_ call: Call, of about: Proposal.Subject) throws(HTTPError) -> Acceptance {
        var problems = FieldProblems()
        let given = try call.read { reader throws(JSONError) in
            var given = Acceptance()
            guard try reader.peek() == .object else {
                problems.add("", "must be an object")
                try reader.skipValue()
                return given
            }
            try reader.beginObject()
            while let name = try reader.nextKey() {
                switch name {
                case "version": given.version = try .read("version", .any, from: &reader, &problems)
                case "changes":
                    if try reader.readNull() { continue }
                    if try reader.peek() == .object {
                        given.changes = try reader.readChanges(of: about)
                    } else {
                        problems.add(name, "must be an object")
                        try reader.skipValue()
                    }
                default:
                    problems.add(name, "is not a field here")
                    try reader.skipValue()
                }
            }
            return given
        }
        guard problems.isEmpty else { throw HTTPError(problems) }
        return given
    }
}

extension JSONReader {
    fileprivate mutating func readChanges(of about: Proposal.Subject) throws(JSONError) -> ProposedChanges {
        switch about {
        case .event:
            let (fields, times) = try readEventFields()
            return .event(fields, times: times)
        case .business:
            var problems = FieldProblems()
            let patch = try Patch<Business>(from: &self, &problems)
            return .business(PatchInput(patch, problems))
        }
    }
}

extension JoinedProposal {
    var shown: [UInt8] {
        JSONWriter.object(reservingCapacity: 1024) { writer in
            record.writeFields(FieldSet { $0.contains(.shown) }, empty: .null, to: &writer)
            writer.member("business_slug", business?.slug.text)
            writer.member("business_name", business?.value.name)
            // A changed backup may have another text.
            let changes = record.changes.flatMap { JSONReader.isObject(Array($0.utf8)) ? $0 : nil }
            writer.member("changes", raw: (changes ?? "null").utf8)
            writer.member("is_of_member", !record.isOfStranger)
            writer.member("submitted_by_name", sender?.displayName)
            writer.member("event_slug", event?.value.slug.text)
            writer.member("version", Hex.text(of: record.digest))
        }
    }
}

extension Schema {
    static let proposalAcceptance = Schema(
        "proposal_acceptance",
        approval.fields + [
            .given(
                "changes",
                "What counts instead of the proposed fields, after an edit: all fields of the event, or those of the"
                    + " business to be changed", kind: .any)
        ])
}
