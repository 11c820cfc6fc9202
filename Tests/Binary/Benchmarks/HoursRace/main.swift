import Bytes
import Platform
import SookeModel

// Evaluates hours as people have them, at random times of a year: whether it is open, until when, and why. Prints how
// many were evaluated in a second of this thread, once for each round.

let texts = [
    "Mo-Fr 09:00-17:00", "Mo-Sa 08:30-18:00; Su off", "Mo-Fr 08:00-12:00,13:00-17:30; Sa 09:00-12:00", "24/7",
    "Mo-Th 11:00-23:00; Fr-Sa 11:00-02:00; Su 12:00-22:00", "Tu-Su 17:00-01:30", "We-Su 10:00-16:00",
    "Mo-Fr 09:00-17:00; PH off", "Mo-Sa 09:00-18:00; Su,PH 11:00-17:00",
    "Mo-Su 10:00-20:00; PH 12:00-18:00; Dec 25 off", "Apr-Oct: Mo-Su 10:00-18:00; Nov-Mar: Sa-Su 10:00-16:00",
    "Mo-Su 09:00-21:00; Dec 24 09:00-15:00; Dec 25-26 off", "Jun-Aug 08:00-20:00; Sep-May Tu-Su 10:00-16:00; PH off",
]
guard let rounds = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }),
    let file = TimeZoneDatabase().file(named: "America/Vancouver")
else { fatalError("usage: HoursRace ROUNDS, with the time zones (tzdata) installed") }
let zone = try TZifReader.read(file, name: "America/Vancouver")
let schedules = try texts.map { OpeningSchedule(base: try OpeningHours($0)) }
var random = SplitMix64(seed: 1)
let moments = (0..<4096).map { _ in Timestamp(clampingSeconds: 1_790_000_000 + random.below(365 * 86_400)) }

for _ in 0..<rounds {
    var (count, sum) = (0, 0)
    let elapsed = ContinuousClock().measure {
        for _ in 0..<20 {
            for moment in moments {
                for schedule in schedules {
                    sum &+= schedule.state(at: moment, in: zone, .britishColumbia).until?.microseconds ?? 0
                }
            }
            count += moments.count * schedules.count
        }
    }
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    // The sum is used, so that the compiler keeps the evaluation.
    if sum != .min { print(Int(Double(count) / seconds)) }
}
