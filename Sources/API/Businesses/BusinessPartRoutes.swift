import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// Changes of one menu, of one item on it, or of one entry of special hours. Responses contain the whole business.
enum BusinessPartRoutes {
    private static let menus = "/api/v1/businesses/{slug}/menus"
    private static let specialHours = "/api/v1/businesses/{slug}/special-hours"

    static func add(to routes: inout RouteList) {
        // The app relies on getting menus with their business, and on a 404 here.
        routes.add(
            .get, menus, "Does not exist: menus are a part of their business", gives: .nothing,
            .read { _ in throw HTTPError.notFound("menus are a part of their business") })
        routes.add(
            .post, menus, "Adds a menu", .businessEditor, takes: .one(.menu), gives: .one(.business), status: .created,
            .transaction { try $0.service.addMenu($0.part(), to: $0.slug(), for: $0.context()) })
        routes.add(
            .patch, menus + "/{id}", "Changes a menu", .businessEditor, takes: .patch(.menu), gives: .one(.business),
            .transaction { try $0.service.updateMenu($0.id(), $0.part(), of: $0.slug(), for: $0.context()) })
        routes.add(
            .delete, menus + "/{id}", "Removes a menu", .businessEditor, gives: .one(.business),
            .transaction { try $0.service.removeMenu($0.id(), of: $0.slug(), for: $0.context()) })
        addItems(to: &routes)
        addSpecialHours(to: &routes)
    }

    private static func addItems(to routes: inout RouteList) {
        routes.add(
            .post, menus + "/{id}/items", "Adds an item to a menu", .businessEditor, takes: .one(.menuItem),
            gives: .one(.business), status: .created,
            .transaction { try $0.service.addMenuItem($0.part(), to: $0.id(), of: $0.slug(), for: $0.context()) })
        routes.add(
            .patch, menus + "/{id}/items/{item}", "Changes an item on a menu", .businessEditor,
            takes: .patch(.menuItem), gives: .one(.business),
            .transaction {
                try $0.service.updateMenuItem($0.id("item"), $0.part(), on: $0.id(), of: $0.slug(), for: $0.context())
            })
        routes.add(
            .delete, menus + "/{id}/items/{item}", "Removes an item from a menu", .businessEditor,
            gives: .one(.business),
            .transaction {
                try $0.service.removeMenuItem($0.id("item"), from: $0.id(), of: $0.slug(), for: $0.context())
            })
    }

    private static func addSpecialHours(to routes: inout RouteList) {
        routes.add(
            .post, specialHours, "Adds special hours", .businessEditor, takes: .one(.specialHours),
            gives: .one(.business), status: .created,
            .transaction { call in
                var problems = FieldProblems()
                let row = try call.read { reader throws(JSONError) in
                    try SpecialHours.readElement(from: &reader, &problems)
                }
                return try call.service.addSpecialHours(row, problems, to: call.slug(), for: call.context())
            })
        routes.add(
            .delete, specialHours, "Removes the special hours of some dates", .businessEditor, gives: .one(.business),
            query: [.firstDay, .lastDay],
            .transaction { call in
                guard let from = try call.date("from") else {
                    throw HTTPError.invalidParameter(
                        "from is missing: the first day of the special hours, such as 2026-12-24")
                }
                return try remove(from: from, call)
            })
        routes.add(
            .delete, specialHours + "/{from}", "Removes the special hours from a day on", .businessEditor,
            gives: .one(.business), query: [.lastDay],
            .transaction { call in
                guard let from = CivilDate(try call.captures.text("from")) else { throw HTTPError.notFound() }
                return try remove(from: from, call)
            })
    }

    private static func remove(from: CivilDate, _ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.service.removeSpecialHours(from: from, to: call.date("to"), of: call.slug(), for: call.context())
    }
}

extension Call {
    /// They are merged in the transaction.
    fileprivate func part<Part: RecordPart>(_ type: Part.Type = Part.self) throws(HTTPError) -> MenuPartInput<Part> {
        try requireJSON()
        return { [body = request.body] part, problems in
            var reader = JSONReader(body)
            // It is JSON, as checked above.
            _ = try? part.readFields(from: &reader, unknown: .reported(), &problems)
        }
    }
}
