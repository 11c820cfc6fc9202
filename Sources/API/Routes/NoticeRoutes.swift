import HTTP
import Service
import SookeModel
import Store

/// `/notices`: the notices of the town.
enum NoticeRoutes {
    static func add(to routes: inout RouterBuilder<Route>) {
        routes.get(
            "/api/v1/notices",
            .cachedRead("Lists all, by ID", gives: .items(.notice)) { call in
                let notices = call.community.notices.inOrderOfID
                return .json(
                    .items(notices) { $0.append(contentsOf: $1.shown) } + [UInt8(ascii: "}")], until: .endOfTime)
            })
        routes.get(
            "/api/v1/notices/{slug}",
            .cachedRead("Shows a notice", gives: .one(.notice)) { call throws(HTTPError) in
                guard let notice = call.community.notices[try call.slug()] else {
                    throw HTTPError(ServiceError.notFound(.record(.notice)))
                }
                return .json(notice.shown, record: RecordValidators(notice), until: .endOfTime)
            })
    }
}

extension Schema {
    fileprivate static let notice = Schema(.notice)
}
