import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/businesses/{slug}/confirm` and `/confirmations`: who last said that the data of a business is right.
enum ConfirmationRoutes {
    static func add(to routes: inout RouteList) {
        routes.add(
            .post, "/api/v1/businesses/{slug}/confirm", "Confirms that hours and data of a business are right",
            .businessEditor, gives: .one(.business),
            .transaction { try $0.service.confirmBusiness($0.slug(), for: $0.context()) })
        routes.add(
            .post, "/api/v1/businesses/{slug}/confirmation-links",
            "Issues a link with which somebody confirms the data of a business without logging in", .businessOwner,
            gives: .one(IssuedLink.confirmation.schema), status: .created, audit: .confirmationLink,
            .async { call in
                let issued = try await call.service.issueConfirmationLink(call.slug(), for: call.context())
                return .plainJSON(IssuedLink.confirmation.json(IssuedLink(issued, call.service)), status: .created)
            })
        routes.add(
            .post, "/api/v1/confirmations", "Confirms the data of a business by a link", .anyone,
            takes: .one(.confirmation), gives: .one(.business), audit: .confirmed,
            .transaction { call in
                let token = try call.validFields(.confirmation)["token"] ?? ""
                return try call.service.confirmBusiness(byLink: token, for: call.context(hasKey: false))
            })
        routes.add(
            .get, "/api/v1/confirmations", "Lists the businesses that somebody should confirm", .member,
            gives: .page(.business), query: [.due, .timeZone, .page, .perPage], .read(list))
    }

    private static func list(_ call: Call) throws(HTTPError) -> Response {
        let name = try call.parameter("due") ?? ConfirmationsDue.Reason.year.rawValue
        guard let reason = ConfirmationsDue.Reason(named: name) else {
            throw .invalidParameter("due is year or holiday, not \"\(name.excerpt())\"")
        }
        let (town, request) = (call.town, try call.page())
        let due = call.service.confirmationsDue(reason, page: request, for: call.caller, in: town)
        var time = call.service.listTime(of: call.town, at: call.now, in: try call.zone())
        let body = [UInt8].list(due.page) { business, writer in
            writer.object { $0.write(business, category: town.category(of: business), at: &time) }
        } and: { writer in
            writer.key("holiday")
            guard let holiday = due.holiday else { return writer.null() }
            writer.object { writer in
                writer.member("name", holiday.name)
                writer.member("date", holiday.date.text)
            }
        }
        return .json(body)
    }
}

extension Schema {
    static let confirmation = Schema("confirmation", .linkToken)
}
