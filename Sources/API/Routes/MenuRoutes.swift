import Dispatcher
import HTTP
import JSON
import Service
import SookeModel

/// `/businesses/{slug}/menus`: changes of one menu, or of one item on it. Responses contain the whole business.
enum MenuRoutes {
    private static let menus = "/api/v1/businesses/{slug}/menus"

    static func add(to routes: inout RouteList) {
        // The app relies on getting menus with their business, and on a 404 here.
        routes.get(
            menus,
            .read("Does not exist: menus are a part of their business", gives: .nothing) { _ throws(HTTPError) in
                throw .notFound("menus are a part of their business")
            })
        routes.post(
            menus,
            .transaction(
                "Adds a menu", .businessOwner, takes: .one(.menu), gives: .one(.business), status: .created
            ) { call throws(HTTPError) in
                try call.town.addMenu(call.part(), to: call.slug(), for: call.context())
            })
        routes.patch(
            menus + "/{id}",
            .transaction("Changes a menu", .businessOwner, takes: .patch(.menu), gives: .one(.business)) {
                call throws(HTTPError) in
                try call.town.updateMenu(call.id(), call.part(), of: call.slug(), for: call.context())
            })
        routes.delete(
            menus + "/{id}",
            .transaction("Removes a menu", .businessOwner, gives: .one(.business)) { call throws(HTTPError) in
                try call.town.removeMenu(call.id(), of: call.slug(), for: call.context())
            })
        addItems(to: &routes)
    }

    private static func addItems(to routes: inout RouteList) {
        routes.post(
            menus + "/{id}/items",
            .transaction(
                "Adds an item to a menu", .businessOwner, takes: .one(.menuItem), gives: .one(.business),
                status: .created
            ) { call throws(HTTPError) in
                try call.town.addMenuItem(call.part(), to: call.id(), of: call.slug(), for: call.context())
            })
        routes.patch(
            menus + "/{id}/items/{item}",
            .transaction(
                "Changes an item on a menu", .businessOwner, takes: .patch(.menuItem), gives: .one(.business)
            ) {
                call throws(HTTPError) in
                try call.town.updateMenuItem(
                    call.id("item"), call.part(), on: call.id(), of: call.slug(), for: call.context())
            })
        routes.delete(
            menus + "/{id}/items/{item}",
            .transaction("Removes an item from a menu", .businessOwner, gives: .one(.business)) {
                call throws(HTTPError) in
                try call.town.removeMenuItem(
                    call.id("item"), from: call.id(), of: call.slug(), for: call.context())
            })
    }
}

extension Call {
    /// Reads the body as the fields of a menu or an item. They are merged in the transaction.
    ///
    /// - Throws: 400, 415.
    fileprivate func part<Part: RecordPart>(_ type: Part.Type = Part.self) throws(HTTPError) -> MenuPartInput<Part> {
        try requireJSON()
        return MenuPartInput { [body = request.body] part, problems in
            var reader = JSONReader(body)
            // The text is JSON, as checked above.
            _ = try? part.readFields(from: &reader, unknown: .reported(), &problems)
        }
    }
}
