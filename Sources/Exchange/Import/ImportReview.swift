import Bytes
import SookeModel
import Store

/// Finds what is probably wrong although it is valid: places far away, duplicates, businesses that no list shows.
enum ImportReview {
    typealias Subject = (row: Int, kind: RecordKind, id: Int, isNew: Bool, hasPlace: Bool)

    /// In metres; nearer businesses of the same name are probably one.
    private static let near = 300.0
    private static let sameNames = 50

    static func findings(
        on subjects: [Subject], in town: Town, _ zone: TimeZone
    ) -> [(row: Int, warning: FieldProblem)] {
        let review = PlaceReview(of: town, in: zone)
        var findings: [(row: Int, warning: FieldProblem)] = []
        for subject in subjects {
            let business = subject.kind == .business ? town.businesses[subject.id] : nil
            let record = Town.recordType(of: subject.kind)?.record(subject.id, in: town)
            if subject.hasPlace, let place = record?.coordinates,
                let warning = review.warning(about: place)
            {
                findings.append((subject.row, FieldProblem("coordinates", warning)))
            }
            if subject.isNew, let business, business.category == nil {
                findings.append((subject.row, FieldProblem("category", "is missing: lists do not show the business")))
            }
        }
        let businesses = subjects.filter { $0.kind == .business && $0.isNew }
        return (findings + duplicates(of: businesses, in: town)).sorted { $0.row < $1.row }
    }

    private static func duplicates(
        of new: [Subject], in town: Town
    ) -> [(row: Int, warning: FieldProblem)] {
        guard !new.isEmpty else { return [] }
        // The last subject with a name, and for each subject the one before it with the same.
        var last: [ByteText: Int] = [:]
        last.reserveCapacity(new.count)
        let before = new.indices.map { index in
            town.businesses[new[index].id].flatMap { last.updateValue(index, forKey: NameWords.joined($0.name)) }
        }
        let newIDs = Set(new.map(\.id))
        var isFound = [Bool](repeating: false, count: new.count)
        var findings: [(row: Int, warning: FieldProblem)] = []
        for other in town.businesses.inOrderOfID {
            var next = last[NameWords.joined(other.name)]
            var compared = 0
            while let index = next, compared < sameNames {
                next = before[index]
                compared += 1
                let subject = new[index]
                // Of two new ones, the later is the duplicate.
                guard !isFound[index], other.id < subject.id || !newIDs.contains(other.id),
                    let record = town.businesses[subject.id], let place = record.coordinates,
                    let otherPlace = other.coordinates, place.distance(to: otherPlace) < near
                else { continue }
                isFound[index] = true
                let message =
                    "\"\(record.name.excerpt())\" is probably \"\(other.name.excerpt())\", which is there already; "
                    + "to change that one, give its slug: \(other.slug.text)"
                findings.append((subject.row, FieldProblem("name", message)))
            }
        }
        return findings
    }
}

/// Judges places by the others of the town, and by its time zone.
struct PlaceReview {
    /// The median; nil when there are too few places.
    private let centre: Coordinates?
    /// Where the sun fits the clocks; nil when the zone says nothing about it.
    private let longitude: Double?

    /// In metres.
    private static let far = 200_000.0
    /// In degrees of longitude.
    private static let farFromClocks = 60.0
    /// The fewest that tell where the town is, and the most that are looked at.
    private static let places = 3...5_000
    /// When no clocks are set forward in the north.
    private static let winter = Timestamp(clampingSeconds: 1_768_435_200)

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
