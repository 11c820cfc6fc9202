import HTTP
import JSON
import SookeModel
import Store

/// `/businesses/{slug}/menus`: one menu, or one thing on it, at a time. Each answers with the whole business.
enum MenuRoutes {
    private static let menus = "/api/v1/businesses/{slug}/menus"

    static func add(to routes: inout RouterBuilder<Route>) {
        // The app relies on it that menus are read with their business, and that there is nothing here.
        routes.get(
            menus,
            .read("Is not there: menus are a part of their business", gives: .nothing) { _ throws(HTTPError) in
                throw .notFound("menus are a part of their business")
            })
        routes.post(
            menus,
            .change(
                "Adds a menu", .businessOwner, takes: .one(.menu), gives: .one(.business), status: .created
            ) { call throws(HTTPError) in
                let body = try call.member(Menu.self)
                return try call.changeMenus(.created) { menus throws(HTTPError) in
                    var menu = Menu()
                    try body.merge(into: &menu)
                    menus.append(menu)
                }
            })
        routes.patch(
            menus + "/{id}",
            .change("Changes a menu", .businessOwner, takes: .patch(.menu), gives: .one(.business)) {
                call throws(HTTPError) in
                let (id, body) = (try call.id(), try call.member(Menu.self))
                return try call.changeMenus { menus throws(HTTPError) in
                    try body.merge(into: &menus[try menus.index(of: id)])
                }
            })
        routes.delete(
            menus + "/{id}",
            .change("Removes a menu", .businessOwner, gives: .one(.business)) { call throws(HTTPError) in
                let id = try call.id()
                return try call.changeMenus { menus throws(HTTPError) in
                    menus.remove(at: try menus.index(of: id))
                }
            })
        addItems(to: &routes)
    }

    private static func addItems(to routes: inout RouterBuilder<Route>) {
        routes.post(
            menus + "/{id}/items",
            .change(
                "Adds something to a menu", .businessOwner, takes: .one(.menuItem), gives: .one(.business),
                status: .created
            ) { call throws(HTTPError) in
                let (id, body) = (try call.id(), try call.member(MenuItem.self))
                return try call.changeMenus(.created) { menus throws(HTTPError) in
                    var item = MenuItem()
                    try body.merge(into: &item)
                    menus[try menus.index(of: id)].items.append(item)
                }
            })
        routes.patch(
            menus + "/{id}/items/{item}",
            .change("Changes something on a menu", .businessOwner, takes: .patch(.menuItem), gives: .one(.business)) {
                call throws(HTTPError) in
                let (id, item, body) = (try call.id(), try call.id("item"), try call.member(MenuItem.self))
                return try call.changeMenus { menus throws(HTTPError) in
                    let menu = try menus.index(of: id)
                    try body.merge(into: &menus[menu].items[try menus[menu].items.index(of: item)])
                }
            })
        routes.delete(
            menus + "/{id}/items/{item}",
            .change("Removes something from a menu", .businessOwner, gives: .one(.business)) { call throws(HTTPError) in
                let (id, item) = (try call.id(), try call.id("item"))
                return try call.changeMenus { menus throws(HTTPError) in
                    let menu = try menus.index(of: id)
                    menus[menu].items.remove(at: try menus[menu].items.index(of: item))
                }
            })
    }
}

/// A body that was read once, so that it is known to be JSON, and is merged into a part inside the transaction.
private struct MemberBody<Part: RecordPart>: Sendable {
    let bytes: [UInt8]

    func merge(into part: inout Part) throws(HTTPError) {
        let id = part.id
        var problems = FieldProblems()
        do throws(JSONError) {
            var reader = JSONReader(bytes)
            _ = try part.readFields(from: &reader, unknown: .noted(), &problems)
        } catch {
            throw .invalidJSON(error)
        }
        if part.id != id { problems.add("id", "cannot be given here") }
        guard problems.isEmpty else { throw HTTPError(problems) }
    }
}

extension Array where Element: RecordPart {
    fileprivate func index(of id: Int) throws(HTTPError) -> Int {
        guard let index = firstIndex(where: { $0.id == id }) else {
            throw .notFound("there is no such \(Element.self == Menu.self ? "menu" : "thing on the menu")")
        }
        return index
    }
}

extension Call {
    /// The body, once it is known to be JSON.
    fileprivate func member<Part: RecordPart>(_ type: Part.Type) throws(HTTPError) -> MemberBody<Part> {
        try requireJSON()
        return MemberBody(bytes: request.body)
    }

    /// Changes the menus of the business in the path.
    fileprivate func changeMenus(
        _ status: Status = .ok, _ body: @escaping @Sendable (inout [Menu]) throws(HTTPError) -> Void
    ) throws(HTTPError) -> PlannedChange {
        let slug = try slug()
        return PlannedChange { [self] edit in
            guard let business = edit.community.businesses[slug] else { throw HTTPError.noSuchBusiness }
            try requireMatch(business.digest)
            var patch = Patch<Business>()
            patch.values.menus = business.value.menus
            patch.fields = ["menus"]
            try body(&patch.values.menus)
            try patch.values.requireNumbers(of: business)
            _ = try edit.update(business.id, patch)
            return try answer(business.id, in: edit.community, status: status)
        }
    }
}
