import Bytes
import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// The routes of a kind of record without rules of its own, such as `/categories`.
enum RecordRoutes {
    static func add<Value: SluggedRecord>(_ type: Value.Type, to routes: inout RouteList) {
        let (path, schema) = ("/api/v1/\(Value.kind.segment)", Schema(Value.self))
        let label = Value.kind.label
        let name = (label.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + label
        routes.add(
            .get, path,
            Value.kind == .notice ? "Lists those that hold now, a danger first; to editors all" : "Lists all, by name",
            gives: .items(schema),
            .cachedRead { call in
                .json(.items(listed(type, call)) { $1.raw($0.shown) }, until: lastTime(call))
            })
        routes.add(
            .get, path + "/{slug}", "Shows \(name)", gives: .one(schema),
            .cachedRead { call in
                let slug = try call.slug()
                if let composed = slug.composed, Value.id(of: slug, in: call.town) == nil,
                    Value.id(of: composed, in: call.town) != nil
                {
                    return call.moved(to: path + "/", composed)
                }
                let record = try call.service.record(slug, of: type, in: call.town)
                guard listed(type, call).contains(where: { $0.id == record.id }) else { throw HTTPError.notFound() }
                return .json(record.value.shown, record: RecordValidators(record), until: lastTime(call))
            })
        routes.add(
            .post, path, "Adds \(name)", .editor, takes: .one(schema), gives: .one(schema), status: .created,
            .transaction { try $0.service.createRecord($0.patch(of: type), for: $0.context()) })
        routes.add(
            .patch, path + "/{slug}", "Changes \(name)", .editor, takes: .patch(schema), gives: .one(schema),
            .transaction { try $0.service.updateRecord($0.slug(), $0.patch(of: type), for: $0.context()) })
        routes.add(
            .delete, path + "/{slug}", "Removes \(name) that nothing uses", .editor, gives: .nothing,
            status: .noContent,
            .transaction { try $0.service.deleteRecord($0.slug(), of: type, for: $0.context()) })
    }

    private static func listed<Value: SluggedRecord>(_ type: Value.Type, _ call: Call) -> [Value] {
        call.caller.isEditor(in: call.town)
            ? Value.inOrderOfName(in: call.town) : Value.listed(in: call.town, at: call.now)
    }

    /// Before the next notice comes or goes.
    private static func lastTime(_ call: Call) -> Timestamp {
        let next = call.town.nextNoticeChange(after: call.now)
        return next.map { Timestamp(microseconds: $0.microseconds - 1) } ?? .endOfTime
    }
}

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
            .transaction { try $0.service.updateSettings($0.patch(of: Settings.self), for: $0.context()) })
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
        Member("series", "How many events are on the clocks of the town", kind: .number) { $0.events.count },
        Member("events", .any, "Their names, at most 100") { followers, writer in
            writer.array(Array(followers.events.prefix(100))) { $1.string($0.value.name) }
        })
}
