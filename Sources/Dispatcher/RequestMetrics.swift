import Bytes
import HTTP
import Synchronization

/// Counts responses by route and status, with their durations: three atomic additions per request, 55 ns, and no lock.
package final class RequestMetrics: Sendable {
    package struct Series: Sendable {
        package let method: String
        package let pattern: String
        package let counts: RouteCounts
    }

    /// In their order, and finally one for requests without a route.
    package let series: [Series]

    init(_ routes: [(method: Method, pattern: String)]) {
        series =
            routes.map { Series(method: "\($0.method.name)", pattern: $0.pattern, counts: RouteCounts()) }
            + [Series(method: "", pattern: "", counts: RouteCounts())]
    }

    package func record(_ record: AccessRecord) {
        self.record(record.route, record.status, duration: record.duration)
    }

    func record(_ route: Int?, _ status: Status, duration: Int) {
        series[route ?? series.count - 1].counts.record(status, duration: duration)
    }
}

package final class RouteCounts: Sendable {
    private let statuses = InlineArray<32, Atomic<Int>> { _ in Atomic(0) }
    private let steps = InlineArray<18, Atomic<Int>> { _ in Atomic(0) }
    private let sum = Atomic<Int>(0)

    /// One further counter is for all other statuses.
    private static let codes = [
        200, 201, 204, 301, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 417, 421, 422, 428, 429,
        431, 500, 501, 503, 505, 507,
    ]
    private static let places: [Int] = {
        var places = [Int](repeating: codes.count, count: 600)
        for (place, code) in codes.enumerated() { places[code] = place }
        return places
    }()

    func record(_ status: Status, duration: Int) {
        let place = 0..<600 ~= status.code ? Self.places[status.code] : Self.codes.count
        statuses[place].add(1, ordering: .relaxed)
        steps[DurationHistogram.step(of: duration)].add(1, ordering: .relaxed)
        sum.add(duration, ordering: .relaxed)
    }

    package var responses: [(status: String, count: Int)] {
        (0...Self.codes.count).compactMap { place in
            let count = statuses[place].load(ordering: .relaxed)
            guard count > 0 else { return nil }
            return (place < Self.codes.count ? "\(Self.codes[place])" : "other", count)
        }
    }

    package var durations: DurationHistogram {
        DurationHistogram(
            counts: steps.indices.map { steps[$0].load(ordering: .relaxed) }, sum: sum.load(ordering: .relaxed))
    }
}
