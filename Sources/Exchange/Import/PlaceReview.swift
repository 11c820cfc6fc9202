import Bytes
import SookeModel
import Store

/// Tells places that are probably wrong by the other places of the town, and by its time zone.
struct PlaceReview {
    /// The median of the places of the town; nil when there are too few.
    private let centre: Coordinates?
    /// The longitude at which the sun fits the clocks; nil when the time zone tells nothing about it.
    private let longitude: Double?

    /// From this distance in metres on, a place is far from the rest of the town.
    private static let far = 200_000.0
    /// From this difference in degrees on, a longitude is far from that of the clocks.
    private static let farFromClocks = 60.0
    /// The fewest places that tell where the town is, and the most that are looked at.
    private static let places = 3...5_000
    /// A moment in winter, when no clocks are set forward in the north.
    private static let winter = Timestamp(seconds: 1_768_435_200)

    init(of town: Town, in zone: TimeZone) {
        let step = max(1, town.businesses.count / Self.places.upperBound)
        var (latitudes, longitudes): ([Double], [Double]) = ([], [])
        for (index, record) in town.businesses.inOrderOfID.enumerated() where index.isMultiple(of: step) {
            guard let place = record.coordinates, place.latitude != 0 || place.longitude != 0 else { continue }
            latitudes.append(place.latitude)
            longitudes.append(place.longitude)
        }
        let hasPlace = zone.name.contains("/") && !zone.name.hasPrefix("Etc/")
        longitude = hasPlace ? Double(zone.offset(at: Self.winter)) / 240 : nil
        guard latitudes.count >= Self.places.lowerBound else {
            centre = nil
            return
        }
        centre = Coordinates(
            latitude: latitudes.sorted()[latitudes.count / 2], longitude: longitudes.sorted()[longitudes.count / 2])
    }

    /// Why a place is probably wrong; nil when it is not.
    func warning(about place: Coordinates) -> String? {
        if place.latitude == 0, place.longitude == 0 {
            return "are 0, 0, a place in the ocean; is that meant to be empty?"
        }
        let text = "\(place.latitude), \(place.longitude)"
        if let longitude, isFar(place.longitude, from: longitude), !isFar(-place.longitude, from: longitude) {
            return "\(text) are not in the time zone of the town; is a minus sign missing or too much: "
                + "\(place.latitude), \(-place.longitude)?"
        }
        guard let centre else { return nil }
        let distance = place.distance(to: centre)
        guard distance > Self.far else { return nil }
        for (latitude, longitude) in [(place.latitude, -place.longitude), (-place.latitude, place.longitude)] {
            guard let other = Coordinates(latitude: latitude, longitude: longitude),
                other.distance(to: centre) < Self.far
            else { continue }
            return "\(text) are far from the rest of the town; is a minus sign missing: \(latitude), \(longitude)?"
        }
        return "\(text) are \(Int(distance / 1000)) km from the rest of the town"
    }

    private func isFar(_ one: Double, from other: Double) -> Bool {
        let difference = abs(one - other)
        return min(difference, 360 - difference) > Self.farFromClocks
    }
}
