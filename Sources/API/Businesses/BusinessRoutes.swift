import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/businesses`: the directory. Lists are in `BusinessListRoute`.
enum BusinessRoutes {
    static func add(to routes: inout RouteList) {
        routes.add(
            .get, "/api/v1/businesses/{slug}", "Shows a business", gives: .one(.business), types: [.geoJSON],
            .cachedRead(detail))
        routes.add(
            .post, "/api/v1/businesses", "Adds a business", .editor, takes: .one(.business), gives: .one(.business),
            status: .created,
            .transaction { try $0.service.createBusiness($0.patch(), for: $0.context()) })
        routes.add(
            .patch, "/api/v1/businesses/{slug}", "Changes a business", .businessEditor, takes: .patch(.business),
            gives: .one(.business),
            .transaction { try $0.service.updateBusiness($0.slug(), $0.patch(), for: $0.context()) })
        routes.add(
            .delete, "/api/v1/businesses/{slug}", "Removes a business; its events stay at its location", .editor,
            gives: .nothing, status: .noContent,
            .transaction { try $0.service.deleteBusiness($0.slug(), for: $0.context()) })
    }

    private static func detail(_ call: Call) throws -> CacheableResponse {
        if let slug = try BusinessFeature.slug(in: call) { return try BusinessFeature.response(to: call, slug) }
        let town = call.town
        switch try call.service.business(call.slug(), for: call.caller, in: town) {
        case .found(let business):
            var time = call.service.listTime(of: call.town, at: call.now, in: call.townZone)
            let body = JoinedBusiness(business, in: town).body(at: &time)
            return .json(body, record: RecordValidators(business), until: time.validUntil)
        case .moved(let slug): return call.moved(to: "/api/v1/businesses/", slug)
        }
    }
}

extension JoinedBusiness {
    func body(for call: Call) -> [UInt8] {
        var time = call.service.listTime(of: call.town, at: call.now, in: call.townZone)
        return body(at: &time)
    }

    func body(at time: inout ListTime) -> [UInt8] {
        JSONWriter.object(reservingCapacity: 2048) { writer in
            record.writeDetail(to: &writer, category: category?.reference ?? BusinessRecord.noCategory, at: &time)
        }
    }
}

/// `/businesses/{slug}.geojson`: one business as a feature (RFC 7946), also by `Accept`.
enum BusinessFeature {
    private static let ending = ".geojson"

    /// Nil when it wants JSON. Slugs may contain dots: the ending counts only when no business that the caller may see
    /// has the whole text as its slug, now or formerly.
    static func slug(in call: Call) throws(HTTPError) -> Slug? {
        let slug = try call.slug()
        let isPreferred = MediaType.preferred(by: call.request, of: [.json, .geoJSON]) == .geoJSON
        guard slug.text.hasSuffix(ending) else { return isPreferred ? slug : nil }
        if (try? call.service.business(slug, for: call.caller, in: call.town)) != nil {
            return isPreferred ? slug : nil
        }
        return Slug(String(slug.text.dropLast(ending.count)))
    }

    /// With hours and menus among the properties.
    static func response(to call: Call, _ slug: Slug) throws -> CacheableResponse {
        let town = call.town
        switch try call.service.business(slug, for: call.caller, in: town) {
        case .found(let business):
            var writer = JSONWriter()
            writer.write(feature: business, properties: JoinedBusiness(business, in: town).body(for: call))
            var response = Response.json(writer.bytes, record: RecordValidators(business))
            response.headers.set("Content-Type", MediaType.geoJSON.field)
            return .uncached(response)
        case .moved(let slug):
            return call.moved(to: "/api/v1/businesses/", Slug(slug.text + ending))
        }
    }
}
