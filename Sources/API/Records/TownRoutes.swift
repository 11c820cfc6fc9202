import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/town`: what the town says of itself.
enum TownRoutes {
    private static let path = "/api/v1/town"

    static func add(to routes: inout RouteList) {
        routes.get(
            path,
            .cachedRead("Shows what the town says of itself", gives: .one(Schema(.settings))) { call in
                let settings = call.town.settings
                return .json(settings.shown, record: RecordValidators(settings), until: .endOfTime)
            })
        routes.patch(
            path,
            .transaction(
                "Changes what the town says of itself", .superAdmin, takes: .patch(Schema(.settings)),
                gives: .one(Schema(.settings))
            ) { call throws(HTTPError) in
                try call.service.updateSettings(call.patch(of: Settings.self), for: call.context())
            })
        routes.get(
            path + "/clock-followers",
            .read("Shows what another time zone of the town would move", .superAdmin, gives: .one(.clockFollowers)) {
                call in .plainJSON(json(TownClockFollowers(in: call.town)))
            })
    }

    /// The most events in a response.
    private static let mostEvents = 100

    private static func json(_ followers: TownClockFollowers) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("businesses", followers.businesses)
        writer.member("series", followers.series.count)
        writer.key("events")
        writer.beginArray()
        for event in followers.series.prefix(mostEvents) { writer.string(event.value.name) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
