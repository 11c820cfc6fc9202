import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/businesses/{slug}/special-hours`: changes of one entry, which its dates name. Responses contain the whole business.
enum SpecialHoursRoutes {
    private static let path = "/api/v1/businesses/{slug}/special-hours"

    static func add(to routes: inout RouteList) {
        routes.post(
            path,
            .transaction(
                "Adds special hours", .businessOwner, takes: .one(.specialHours), gives: .one(.business),
                status: .created
            ) { call throws(HTTPError) in
                var problems = FieldProblems()
                let row = try call.read { reader throws(JSONError) in
                    try SpecialHours.readElement(from: &reader, &problems)
                }
                return try call.town.addSpecialHours(row, problems, to: call.slug(), for: call.context())
            })
        routes.delete(
            path,
            .transaction("Removes the special hours of some dates", .businessOwner, gives: .one(.business)) {
                call throws(HTTPError) in
                guard let from = try call.date("from") else {
                    throw .invalidParameter("from is missing: the first day of the special hours, such as 2026-12-24")
                }
                return try remove(from: from, call)
            }.with(.firstDay, .lastDay))
        routes.delete(
            path + "/{from}",
            .transaction("Removes the special hours from a day on", .businessOwner, gives: .one(.business)) {
                call throws(HTTPError) in
                guard let from = CivilDate(try call.captures.text("from")) else { throw .notFound() }
                return try remove(from: from, call)
            }.with(.lastDay))
    }

    private static func remove(from: CivilDate, _ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.removeSpecialHours(from: from, to: call.date("to"), of: call.slug(), for: call.context())
    }
}

extension Call {
    /// A parameter that is a date; nil when it is absent.
    fileprivate func date(_ name: String) throws(HTTPError) -> CivilDate? {
        guard let text = try parameter(name) else { return nil }
        guard let date = CivilDate(text) else {
            throw .invalidParameter("\(name) must be a date such as 2026-12-24, not \"\(text.excerpt())\"")
        }
        return date
    }
}
