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
    static let all: [Country] = """
        AR ARS 24 America/Argentina/Buenos_Aires Argentina; \
        AU AUD 12 Australia/Sydney,Melbourne,Brisbane,Perth,Adelaide,Hobart,Darwin Australia; \
        AT EUR 24 Europe/Vienna Austria; BE EUR 24 Europe/Brussels Belgium; \
        BR BRL 24 America/Sao_Paulo,Bahia,Fortaleza,Recife,Manaus,Cuiaba,Belem Brazil; \
        BG EUR 24 Europe/Sofia Bulgaria; \
        CA CAD 12 America/Vancouver,Edmonton,Regina,Winnipeg,Toronto,Halifax,Moncton,St_Johns,Whitehorse Canada; \
        CL CLP 24 America/Santiago,Punta_Arenas Chile; CO COP 12 America/Bogota Colombia; \
        HR EUR 24 Europe/Zagreb Croatia; CY EUR 24 Asia/Nicosia Cyprus; CZ CZK 24 Europe/Prague Czechia; \
        DK DKK 24 Europe/Copenhagen Denmark; EE EUR 24 Europe/Tallinn Estonia; FI EUR 24 Europe/Helsinki Finland; \
        FR EUR 24 Europe/Paris France; DE EUR 24 Europe/Berlin Germany; GR EUR 24 Europe/Athens Greece; \
        HK HKD 12 Asia/Hong_Kong Hong Kong; HU HUF 24 Europe/Budapest Hungary; \
        IS ISK 24 Atlantic/Reykjavik Iceland; IN INR 12 Asia/Kolkata India; IE EUR 24 Europe/Dublin Ireland; \
        IL ILS 24 Asia/Jerusalem Israel; IT EUR 24 Europe/Rome Italy; JM JMD 12 America/Jamaica Jamaica; \
        JP JPY 24 Asia/Tokyo Japan; KE KES 24 Africa/Nairobi Kenya; LV EUR 24 Europe/Riga Latvia; \
        LT EUR 24 Europe/Vilnius Lithuania; LU EUR 24 Europe/Luxembourg Luxembourg; \
        MY MYR 12 Asia/Kuala_Lumpur Malaysia; MT EUR 24 Europe/Malta Malta; \
        MX MXN 24 America/Mexico_City,Monterrey,Tijuana,Chihuahua,Hermosillo,Merida,Cancun Mexico; \
        NL EUR 24 Europe/Amsterdam Netherlands; NZ NZD 12 Pacific/Auckland,Chatham New Zealand; \
        NG NGN 24 Africa/Lagos Nigeria; NO NOK 24 Europe/Oslo Norway; PH PHP 12 Asia/Manila Philippines; \
        PL PLN 24 Europe/Warsaw Poland; PT EUR 24 Europe/Lisbon,Atlantic/Madeira,Atlantic/Azores Portugal; \
        RO RON 24 Europe/Bucharest Romania; SG SGD 12 Asia/Singapore Singapore; \
        SK EUR 24 Europe/Bratislava Slovakia; SI EUR 24 Europe/Ljubljana Slovenia; \
        ZA ZAR 24 Africa/Johannesburg South Africa; KR KRW 12 Asia/Seoul South Korea; \
        ES EUR 24 Europe/Madrid,Atlantic/Canary Spain; SE SEK 24 Europe/Stockholm Sweden; \
        CH CHF 24 Europe/Zurich Switzerland; TW TWD 12 Asia/Taipei Taiwan; TH THB 24 Asia/Bangkok Thailand; \
        TT TTD 12 America/Port_of_Spain Trinidad and Tobago; TR TRY 24 Europe/Istanbul Türkiye; \
        UA UAH 24 Europe/Kyiv Ukraine; GB GBP 24 Europe/London United Kingdom; \
        US USD 12 America/New_York,Chicago,Denver,Los_Angeles,Phoenix,Anchorage,Pacific/Honolulu United States; \
        VN VND 24 Asia/Ho_Chi_Minh Vietnam
        """.split(at: ";").map(Country.init(row:))
}
