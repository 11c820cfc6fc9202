import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/businesses`: the directory. Lists are in `BusinessListRoute`.
enum BusinessRoutes {
    static func add(to routes: inout RouteList) {
        routes.get(
            "/api/v1/businesses/{slug}",
            .cachedRead("Shows a business", gives: .one(.business), detail).also(.geoJSON))
        routes.post(
            "/api/v1/businesses",
            .transaction(
                "Adds a business", .superAdmin, takes: .one(.business), gives: .one(.business), status: .created, create
            ))
        routes.patch(
            "/api/v1/businesses/{slug}",
            .transaction("Changes a business", .businessOwner, takes: .patch(.business), gives: .one(.business), update)
        )
        routes.delete(
            "/api/v1/businesses/{slug}",
            .transaction(
                "Removes a business; its events stay at its location", .superAdmin, gives: .nothing, status: .noContent,
                remove))
    }

    /// One business with its hours and menus; one without a category is visible to its owner only.
    private static func detail(_ call: Call) throws(HTTPError) -> CacheableResponse {
        if let slug = try BusinessFeature.slug(in: call) { return try BusinessFeature.response(to: call, slug) }
        let slug = try call.slug()
        let community = call.community
        let located = try call.service { () throws(ServiceError) in
            try call.town.business(slug, for: call.caller, in: community)
        }
        switch located {
        case .found(let business):
            var time = call.listTime(in: call.town.zone)
            let body = JoinedBusiness(business, in: community).body(at: &time)
            return .json(body, record: RecordValidators(business), until: time.validUntil)
        case .moved(let slug): return .uncached(.moved(to: "/api/v1/businesses/", slug, call.request.query))
        }
    }

    private static func create(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.createBusiness(call.patch(), for: call.context())
    }

    private static func update(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.updateBusiness(call.slug(), call.patch(), for: call.context())
    }

    private static func remove(_ call: Call) throws(HTTPError) -> Transaction<Outcome> {
        try call.town.deleteBusiness(call.slug(), for: call.context())
    }
}

extension Call {
    /// The time of a response with businesses, on the clocks of the requested zone.
    func listTime() throws(HTTPError) -> ListTime { listTime(in: try zone()) }

    /// The time of a response with businesses. What it says of today stays true to the end of the minute.
    fileprivate func listTime(in zone: TimeZone) -> ListTime {
        ListTime(
            town.openHoursClock(at: now), dayOfWeek: zone.localDate(at: now).date.dayOfWeek, validUntil: now.endOfMinute
        )
    }
}

extension [UInt8] {
    /// Appends a business as in lists; only what depends on the clock is encoded anew.
    mutating func append(
        _ business: BusinessRecord, category: TermRecord<CategoryVocabulary>?, at time: inout ListTime
    ) {
        let category = category?.reference ?? BusinessRecord.noCategory
        business.append(to: &self, category: category.span, at: &time)
    }
}

extension JoinedBusiness: RepresentedRecord {
    /// The detail of the business, as in the response to a read at this time.
    func body(for call: Call) -> [UInt8] {
        var time = call.listTime(in: call.town.zone)
        return body(at: &time)
    }

    /// The detail of the business at a time.
    func body(at time: inout ListTime) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(2048)
        let category = category?.reference ?? BusinessRecord.noCategory
        record.appendDetail(to: &body, category: category.span, at: &time)
        return body
    }
}
