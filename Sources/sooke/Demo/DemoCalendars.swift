import Bytes
import CFiles
import Platform
import SookeModel
import Store

/// The calendars of others in the fictional town, and what fetches them.
enum DemoCalendars {
    /// They are on its own server.
    static let files = [
        (path: "/demo/library.ics", text: String(cString: sooke_library_ics())),
        (path: "/demo/hall.ics", text: String(cString: sooke_hall_ics())),
    ]

    /// Adds those of the fictional town, and has calendars fetched by `sooke outside`, a child that ends with this
    /// process. Nobody waits for that.
    static func start(
        on server: TownServer, at address: String, by socket: String, isFictional: Bool, _ console: Console
    ) throws(CommandError) {
        try CommandError.translating {
            try Thread.start(name: "calendars") {
                do {
                    if isFictional {
                        try server.fill { transaction, now, _ in try add(to: &transaction, at: address, now: now) }
                    }
                    // Where it is missing, that is said at once, and not when the child has ended.
                    _ = try Curl(console)
                    let own = WebAddress(address).map { ["--allow-private", "\($0.host):\($0.port)"] } ?? []
                    let words = ["outside", "--follow", "--socket", socket, "--parent", "\(Machine.process)"] + own
                    let (output, failure) = Subprocess.run(
                        try Machine.executable, words, input: [], timeLimit: nil)
                    let said = String(decoding: output, as: UTF8.self)
                    throw CommandError(.unavailable, "`sooke outside`: \(failure.map { "\($0)" } ?? ""). \(said)")
                } catch {
                    console.log(.warning, "calendars are not fetched: \(CommandError(error).message)")
                }
            }
        }
    }

    /// Adds them as if an editor had published their first events.
    static func add(to transaction: inout WriteTransaction, at address: String, now: Timestamp) throws {
        var (library, hall) = (PulledCalendar(), PulledCalendar())
        (library.name, library.organizer, library.eventType) = ("Library", "Sooke Library", Slug("family-kids"))
        (hall.name, hall.eventType) = ("Community Hall", Slug("community-meeting"))
        hall.host = Slug("church-road-community-hall")
        hall.place = hall.host
        for (file, calendar) in zip(files, [library, hall]) {
            var patch = Patch<PulledCalendar>()
            patch.values = calendar
            (patch.values.address, patch.values.acceptedAt) = (address + file.path, now)
            patch.fields = ["address", "name", "host", "organizer", "event_type", "place", "accepted_at"]
            try transaction.create(patch)
        }
    }
}
