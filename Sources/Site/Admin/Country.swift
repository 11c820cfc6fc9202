import CFiles

/// A country in which a town may be, and what follows from it: a proposal, which people agree to.
struct Country {
    let code, name, currency: String
    let has24Hours: Bool
    /// Those that most people there have.
    let zones: [String]

    static let canada = "CA"

    init?(_ code: String) {
        guard let found = Self.all.first(where: { $0.code == code }) else { return nil }
        self = found
    }

    private init(row: String) {
        let parts = row.split(at: " ")
        (code, currency, has24Hours) = (parts[0], parts[1], parts[2] == "24")
        let area = parts[3].split(at: "/")[0]
        zones = parts[3].split(at: ",").map { $0.contains("/") ? $0 : "\(area)/\($0)" }
        name = parts[4...].joined(separator: " ")
    }

    /// The only zone, else that of the browser if it may be one of the country; empty for neither.
    func zone(near zone: String?) -> String {
        if zones.count == 1 { return zones[0] }
        let areas = zones.map { $0.split(at: "/")[0] + "/" }
        return zone.flatMap { zone in areas.contains { zone.hasPrefix($0) } ? zone : nil } ?? ""
    }

    /// By name. Currencies, hours of clocks and the zones of most people are those of the CLDR and the tz database.
    static let all = String(cString: sooke_countries_txt()).split(at: "\n").map(Country.init(row:))
}
