import HTTP
import SookeModel
import Store

/// `/businesses`: the directory.
enum BusinessRoutes {
    static func add(to routes: inout RouterBuilder<Route>) {
        routes.get(
            "/api/v1/businesses",
            .show("Lists businesses by name", gives: .page(.business), list).with(
                .search, .category, .timeZone, .page, .perPage))
        routes.get(
            "/api/v1/businesses/{slug}",
            .show("Shows a business", gives: .one(.business), detail).with(.timeZone))
        routes.post(
            "/api/v1/businesses",
            .change(
                "Adds a business", .superAdmin, takes: .one(.business), gives: .one(.business), status: .created, create
            ))
        routes.patch(
            "/api/v1/businesses/{slug}",
            .change("Changes a business", .businessOwner, takes: .patch(.business), gives: .one(.business), update))
        routes.delete(
            "/api/v1/businesses/{slug}",
            .change(
                "Removes a business; its events keep its place", .superAdmin, gives: .nothing, status: .noContent,
                remove))
    }

    /// The listed businesses by name, narrowed by `search` and `category`, a page at a time.
    private static func list(_ call: Call) throws(HTTPError) -> Shown {
        let query = BusinessQuery(
            search: try call.parameter("search"),
            category: try call.parameter("category").map(Slug.init(_:)))
        let dayOfWeek = try call.zone().localDate(at: call.now).0.dayOfWeek
        let page = call.community.page(try call.page(), of: query)
        let categories = call.version.community.categories
        return .json(.list(page) { $0.append($1, on: dayOfWeek, in: categories) }, until: call.now.endOfMinute)
    }

    /// One business with its hours and menus; one without a category only for who looks after it.
    private static func detail(_ call: Call) throws(HTTPError) -> Shown {
        let slug = try call.slug()
        let community = call.community
        if let business = community.businesses[slug], business.isVisible(to: call.caller, in: community) {
            return .json(
                call.detail(of: business, in: community), record: ShownRecord(business), until: call.now.endOfMinute)
        }
        guard let moved = community.businesses[formerly: slug], moved.categoryID != nil else {
            throw .noSuchBusiness
        }
        return .once(.moved(to: "/api/v1/businesses/", moved.slug, call.request.query))
    }

    private static func create(_ call: Call) throws(HTTPError) -> PlannedChange {
        let patch = try call.patch(of: Business.self, allowing: adminFields)
        return PlannedChange { edit in
            try patch.values.requireNumbers(of: nil)
            let business = try edit.create(patch)
            return try call.answer(business.id, in: edit.community, status: .created)
        }
    }

    private static func update(_ call: Call) throws(HTTPError) -> PlannedChange {
        let patch = try call.patch(of: Business.self, allowing: call.isSuperAdmin ? adminFields : ownerFields)
        let slug = try call.slug()
        return PlannedChange { edit in
            guard let business = edit.community.businesses[slug] else { throw HTTPError.noSuchBusiness }
            // The role may have been another when the body was read.
            let isSuperAdmin = call.caller.isSuperAdmin(in: edit.community)
            guard patch.fields.isSubset(of: isSuperAdmin ? adminFields : ownerFields) else { throw HTTPError.forbidden }
            try call.requireMatch(business.digest)
            try patch.values.requireNumbers(of: business)
            try edit.update(business.id, patch)
            return try call.answer(business.id, in: edit.community)
        }
    }

    private static func remove(_ call: Call) throws(HTTPError) -> PlannedChange {
        let slug = try call.slug()
        return PlannedChange { edit in
            guard let business = edit.community.businesses[slug] else { throw HTTPError.noSuchBusiness }
            try call.requireMatch(business.digest)
            try edit.deleteBusiness(business.id)
            return Response(.noContent)
        }
    }

    /// What an owner may change; the address on the web, the category and the owner are the town's business.
    private static let ownerFields = FieldSet<Business> { $0.contains(.setByOwner) }
    private static let adminFields = FieldSet<Business> { $0.isGiven }
}

extension Call {
    /// The answer to a change of a business: what a read of it answers now.
    func answer(_ id: Int, in community: Community, status: Status = .ok) throws(HTTPError) -> Response {
        guard let business = community.businesses[id] else { throw .noSuchBusiness }
        return .changed(
            detail(of: business, in: community), record: ShownRecord(business), at: "/api/v1/businesses/",
            business.slug,
            status: status)
    }
}

extension Business {
    /// Makes sure that rows of hours, menus and items bring no numbers but those they have had.
    ///
    /// The server alone gives new ones: whoever could choose the highest there is would leave none for anybody else.
    /// - Throws: 422 with every number that is not of this business.
    func requireNumbers(of existing: BusinessRecord?) throws(HTTPError) {
        if hours.isEmpty, menus.isEmpty { return }
        var problems = FieldProblems()
        let existing = existing?.value ?? Business()
        problems.require(hours.map(\.id), of: existing.hours.map(\.id), in: "hours")
        problems.require(menus.map(\.id), of: existing.menus.map(\.id), in: "menus")
        for (index, menu) in menus.enumerated() {
            let before = existing.menus.first { $0.id == menu.id }
            problems.require(
                menu.items.map(\.id), of: before?.items.map(\.id) ?? [], in: "menus[\(index)].items")
        }
        guard problems.isEmpty else { throw HTTPError(problems) }
    }
}

extension FieldProblems {
    fileprivate mutating func require(_ ids: [Int], of known: [Int], in place: String) {
        for (index, id) in ids.enumerated() where id != 0 && !known.contains(id) {
            add("\(place)[\(index)].id", "there is no \(id) here; leave it out to get a number")
        }
    }
}
