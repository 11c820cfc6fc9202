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
        routes.add(
            .get, path, "Shows what the town says of itself", gives: .one(.settings),
            .cachedRead { call in
                let settings = call.town.settings
                return .json(settings.shown, record: RecordValidators(settings), until: .endOfTime)
            })
        routes.add(
            .patch, path, "Changes what the town says of itself", .superAdmin, takes: .patch(.settings),
            gives: .one(.settings),
            .transaction { call throws(HTTPError) in
                try call.service.updateSettings(call.patch(of: Settings.self), for: call.context())
            })
        routes.add(
            .get, path + "/clock-followers", "Shows what another time zone of the town would move", .superAdmin,
            gives: .one(TownClockFollowers.body.schema),
            .read { call in .plainJSON(TownClockFollowers.body.json(TownClockFollowers(in: call.town)))
            })
    }
}

extension TownClockFollowers {
    static let body = Body<TownClockFollowers>(
        "clock_followers",
        Member("businesses", "How many businesses have hours on the clocks of the town", kind: .number) {
            $0.businesses
        },
        Member("series", "How many events in series are on the clocks of the town", kind: .number) { $0.series.count },
        Member("events", .any, "Their names, at most 100") { followers, writer in
            writer.beginArray()
            for event in followers.series.prefix(100) { writer.string(event.value.name) }
            writer.endArray()
        })
}
