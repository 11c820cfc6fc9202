import Bytes
import SookeModel
import Store

/// Looks for what is probably wrong in imported businesses, although each is valid: places far away, duplicates,
/// businesses that no list shows.
enum ImportReview {
    /// A business that a row has created or changed.
    struct Subject {
        let row: Int
        let id: Int
        let isNew: Bool
        let hasPlace: Bool

        /// Nil for another kind of record, and for one that is unchanged.
        init?(_ row: Int, _ patch: any AnyPatch, _ effect: WriteTransaction.Effect, in community: Community) {
            guard patch.kind == .business, effect != .unchanged,
                let id = patch.key.flatMap({ community.businesses[Slug($0.text.text)]?.id })
            else { return nil }
            (self.row, self.id) = (row, id)
            (isNew, hasPlace) = (effect == .created, patch.hasPlace)
        }
    }

    /// From this distance in metres on, a place is far from the rest of the town.
    private static let far = 200_000.0
    /// Up to this distance in metres, businesses of the same name are probably one.
    private static let near = 300.0
    /// The fewest places that tell where the town is, and the most that are looked at.
    private static let places = 3...5_000

    /// What is probably wrong, by row.
    static func findings(
        on subjects: [Subject], in community: Community
    ) -> [(row: Int, warning: FieldProblem)] {
        let centre = centre(of: community)
        var findings: [(row: Int, warning: FieldProblem)] = []
        for subject in subjects {
            guard let business = community.businesses[subject.id]?.value else { continue }
            if subject.hasPlace, let warning = placeWarning(business, centre) {
                findings.append((subject.row, FieldProblem("coordinates", warning)))
            }
            if subject.isNew, business.category == nil {
                findings.append((subject.row, FieldProblem("category", "is missing: lists do not show the business")))
            }
        }
        return (findings + duplicates(of: subjects, in: community)).sorted { $0.row < $1.row }
    }

    // MARK: - Places

    /// The median of the places of the town; nil when there are too few.
    private static func centre(of community: Community) -> Coordinates? {
        let all = community.businesses.inOrderOfID
        let step = max(1, community.businesses.count / places.upperBound)
        var (latitudes, longitudes): ([Double], [Double]) = ([], [])
        for (index, record) in all.enumerated() where index.isMultiple(of: step) {
            guard let place = record.coordinates else { continue }
            if place.latitude == 0, place.longitude == 0 { continue }
            latitudes.append(place.latitude)
            longitudes.append(place.longitude)
        }
        guard latitudes.count >= places.lowerBound else { return nil }
        return Coordinates(
            latitude: latitudes.sorted()[latitudes.count / 2], longitude: longitudes.sorted()[longitudes.count / 2])
    }

    private static func placeWarning(_ business: Business, _ centre: Coordinates?) -> String? {
        guard let place = Coordinates(latitude: business.latitude, longitude: business.longitude) else { return nil }
        if place.latitude == 0, place.longitude == 0 {
            return "are 0, 0, a place in the ocean; is that meant to be empty?"
        }
        guard let centre else { return nil }
        let distance = place.distance(to: centre)
        guard distance > far else { return nil }
        let text = "\(place.latitude), \(place.longitude)"
        let mirrored = [(place.latitude, -place.longitude), (-place.latitude, place.longitude)]
        for (latitude, longitude) in mirrored {
            guard let other = Coordinates(latitude: latitude, longitude: longitude), other.distance(to: centre) < far
            else { continue }
            return "\(text) are far from the rest of the town; is a minus sign missing: \(latitude), \(longitude)?"
        }
        return "\(text) are \(Int(distance / 1000)) km from the rest of the town"
    }

    // MARK: - Duplicates

    private static func duplicates(
        of subjects: [Subject], in community: Community
    ) -> [(row: Int, warning: FieldProblem)] {
        let new = subjects.filter(\.isNew)
        guard !new.isEmpty else { return [] }
        var rows: [PlainName: [Subject]] = [:]
        rows.reserveCapacity(new.count)
        for subject in new {
            guard let record = community.businesses[subject.id] else { continue }
            rows[PlainName(record.value.name), default: []].append(subject)
        }
        let newIDs = Set(new.map(\.id))
        var findings: [(row: Int, warning: FieldProblem)] = []
        var isFound: Set<Int> = []
        for other in community.businesses.inOrderOfID {
            let value = other.value
            for subject in rows[PlainName(value.name)] ?? [] {
                // Of two new ones, the later is the duplicate.
                guard other.id < subject.id || !newIDs.contains(other.id),
                    let record = community.businesses[subject.id], let place = record.coordinates,
                    let otherPlace = other.coordinates, place.distance(to: otherPlace) < near,
                    isFound.insert(subject.row).inserted
                else { continue }
                let message =
                    "\"\(record.value.name.excerpt())\" is probably \"\(value.name.excerpt())\", which is there already; "
                    + "to change that one, give its slug: \(value.slug.text)"
                findings.append((subject.row, FieldProblem("name", message)))
            }
        }
        return findings
    }

    /// A name without what is often left out or written differently: case, accents, punctuation, "the", "and", "Ltd".
    private struct PlainName: Hashable {
        private let letters: [UInt8]

        private static let dropped: Set<[UInt8]> = Set(
            ["the", "and", "ltd", "inc", "llc", "co"].map { Array($0.utf8) })

        init(_ name: String) {
            var (words, word): ([UInt8], [UInt8]) = ([], [])
            func endWord() {
                if !Self.dropped.contains(word) { words += word }
                word.removeAll(keepingCapacity: true)
            }
            for scalar in name.unicodeScalars where scalar != "'" && scalar != "’" {
                if scalar.isASCII {
                    let byte = UInt8(truncatingIfNeeded: scalar.value)
                    if ASCII.isLetter(byte) || ASCII.isDigit(byte) { word.append(ASCII.lowercased(byte)) } else { endWord() }
                    continue
                }
                switch WordFolding.fold(scalar) {
                case .separator: endWord()
                case .mark: break
                case .ascii(let letters):
                    for shift in stride(from: 0, to: 32, by: 8) where letters >> shift & 0xFF != 0 {
                        word.append(UInt8(truncatingIfNeeded: letters >> shift))
                    }
                case .letter(let letter), .ideograph(let letter): word += Array(String(letter).utf8)
                }
            }
            endWord()
            letters = words
        }
    }
}
