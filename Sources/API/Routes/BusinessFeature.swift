import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/businesses/{slug}.geojson`: one business as a feature (RFC 7946), also by `Accept`.
enum BusinessFeature {
    private static let ending = ".geojson"

    /// The slug of the business that a request wants as a feature; nil when it wants JSON.
    ///
    /// Slugs may contain dots: the ending counts only when no business that the caller may see has the whole text as its slug,
    /// now or formerly.
    static func slug(in call: Call) throws(HTTPError) -> Slug? {
        let slug = try call.slug()
        let isPreferred = MediaType.preferred(by: call.request, of: [.json, .geoJSON]) == .geoJSON
        guard slug.text.hasSuffix(ending) else { return isPreferred ? slug : nil }
        if (try? call.town.business(slug, for: call.caller, in: call.community)) != nil {
            return isPreferred ? slug : nil
        }
        return Slug(String(slug.text.dropLast(ending.count)))
    }

    /// The business with a slug, with its hours and menus among the properties.
    static func response(to call: Call, _ slug: Slug) throws(HTTPError) -> CacheableResponse {
        let community = call.community
        let located = try call.service { () throws(ServiceError) in
            try call.town.business(slug, for: call.caller, in: community)
        }
        switch located {
        case .found(let business):
            var body: [UInt8] = []
            body.append(feature: business, properties: JoinedBusiness(business, in: community).body(for: call))
            var response = Response.json(body, record: RecordValidators(business))
            response.headers.set("Content-Type", MediaType.geoJSON.field)
            return .uncached(response)
        case .moved(let slug):
            return .uncached(.moved(to: "/api/v1/businesses/", Slug(slug.text + ending), call.request.query))
        }
    }
}
