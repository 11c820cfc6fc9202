import Bytes
import SookeModel

/// By their names here and in other programs, or as the calendar defines them.
struct CalendarZones: Sendable {
    var definitions: [String: CalendarZoneDefinition] = [:]
    var years = 2000...2000
    private var found: [String: TimeZone] = [:]

    static let most = 1_000
    /// In years.
    private static let longest = 10

    init() {}

    func resolved(_ names: Set<String>, in town: TimeZone, _ find: (String) -> TimeZone?) -> CalendarZones {
        var zones = self
        for name in names where definitions[name] != nil {
            zones.found[name] = zone(named: name, in: town, find)
        }
        return zones
    }

    /// Of several zones with the same clocks it is that of the town. An unknown one has no name.
    func zone(named name: String, in town: TimeZone, _ find: (String) -> TimeZone?) -> TimeZone? {
        let bare = CalendarZoneNames.bare(name)
        if CalendarZoneNames.isUTC(bare) { return TimeZone(name: "UTC", fixedOffset: 0) }
        if let zone = found[name] { return zone }
        let names = CalendarZoneNames.candidates(for: bare)
        if let zone = Self.first(of: names, in: town, find) { return zone }
        let labels = CalendarZoneNames.candidates(forLabel: bare)
        guard let definition = definitions[name]?.zone(in: years) else {
            return Self.first(of: labels, in: town, find) ?? CalendarZoneNames.fixed(bare)
        }
        let likely = labels.lazy.filter(TimeZone.isAcceptable).compactMap(find)
        if labels.contains(town.name), agree(town, definition) { return town }
        if let zone = likely.first(where: { agree($0, definition) }) { return zone }
        if agree(town, definition) { return town }
        let others = CalendarZoneNames.all.lazy.compactMap(find)
        return others.first { agree($0, definition) } ?? definition
    }

    private static func first(of names: [String], in town: TimeZone, _ find: (String) -> TimeZone?) -> TimeZone? {
        if names.contains(town.name) { return town }
        return names.lazy.filter(TimeZone.isAcceptable).compactMap(find).first
    }

    private func agree(_ zone: TimeZone, _ other: TimeZone) -> Bool {
        let first = max(years.lowerBound, years.upperBound - Self.longest)
        guard let start = CivilDate(year: first, month: 1, day: 1)?.daysSinceEpoch,
            let end = CivilDate(year: years.upperBound + 1, month: 1, day: 1)?.daysSinceEpoch
        else { return false }
        return (start..<end).allSatisfy { day in
            let noon = Timestamp(clampingSeconds: day * 86_400 + 43_200)
            return zone.offset(at: noon) == other.offset(at: noon)
        }
    }
}

/// The names of time zones in calendars of other programs, as names of the tz database.
enum CalendarZoneNames {
    /// Of the tz database. They begin the last part of `/freeassociation.sourceforge.net/America/Vancouver`.
    private static let areas: Set<Substring> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Canada", "Etc", "Europe",
        "Indian", "Pacific", "US",
    ]

    static func isUTC(_ name: String) -> Bool {
        ["GMT", "ETC/GMT"].contains(name.shortUppercased) || zones[key(name)] == ["UTC"]
    }

    /// Without what programs put before it: `tzone://Microsoft/Utc`.
    static func bare(_ name: String) -> String { CellText.without("tzone://microsoft/", name.trimmed) }

    static func candidates(for name: String) -> [String] {
        if name.hasSuffix(" Standard Time"), let names = zones[key(name)] { return names }
        let parts = name.split(separator: "/")
        guard let area = parts.firstIndex(where: areas.contains) else { return [name] }
        return [name, parts[area...].joined(separator: "/")]
    }

    /// Such as `(UTC-05:00) Eastern Time (US & Canada)`, `Pacific Time`, `PDT` or `Amsterdam, Berlin`.
    static func candidates(forLabel label: String) -> [String] {
        zones[key(label)] ?? label.split(separator: ",").lazy.compactMap { zones[key($0)] }.first ?? []
    }

    /// The words that tell a name from others: `pacific` of `(UTC-08:00) Pacific Time (US & Canada)`.
    private static func key(_ name: some StringProtocol) -> String {
        guard name.utf8.count <= 200 else { return "" }
        var text = name.lowercased()[...]
        if ["(utc", "(gmt"].contains(text.prefix(4)), let end = text.firstIndex(of: ")") {
            text = text[end...].dropFirst()
        }
        let words = (text.split(separator: "/").last ?? "").split { $0 == " " || $0 == "_" }
        return words.filter { !common.contains($0) }.joined(separator: " ")
    }

    private static let common: Set<Substring> = [
        "standard", "daylight", "summer", "time", "(us", "&", "canada)", "(canada)",
    ]

    private static let zones: [String: [String]] = {
        var zones: [String: [String]] = [:]
        for entry in table.split(separator: ";") {
            let keys = entry.prefix { $0 != "=" }
            let names = entry[keys.endIndex...].dropFirst().split(separator: " ")
            let cities = names.filter { !$0.hasPrefix("Etc/") }.map(key)
            for key in keys.split(separator: ",").map(String.init) + cities where zones[key] == nil {
                zones[key] = names.map(String.init)
            }
        }
        return zones
    }()

    static let all: [String] =
        Set(zones.values.joined()).sorted() + (1...12).map { "Etc/GMT+\($0)" } + (1...14).map { "Etc/GMT-\($0)" }

    /// `UTC-5` or `GMT+01:00`.
    static func fixed(_ name: String) -> TimeZone? {
        var text = name.filter { $0 != " " && $0 != "(" && $0 != ")" }
        guard name.utf8.count <= 20, ["UTC", "GMT"].contains(text.prefix(3).uppercased()) else { return nil }
        text.removeFirst(3)
        guard let sign = text.first, "+-−".contains(sign) else { return nil }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard 1...4 ~= digits.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int(digits) else {
            return nil
        }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard hours <= 14, minutes < 60 else { return nil }
        // A series in it would need a name; the tz database has those of whole hours, with the sign turned.
        let zone = minutes == 0 ? "Etc/GMT\(hours == 0 ? "" : sign == "+" ? "-\(hours)" : "+\(hours)")" : ""
        return TimeZone(name: zone, fixedOffset: (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60))
    }

    /// The names of Windows and Outlook without "Standard Time", from the table `windowsZones` of the Unicode CLDR,
    /// with other names and abbreviations of the same. The first zone is that for any country; the others have the same
    /// clocks in Canada and the United States.
    private static let table = """
        utc,z,zulu,uct,universal,coordinated universal=UTC;utc-11=Pacific/Pago_Pago;\
        hawaiian,hst,hawaii=Pacific/Honolulu;alaskan,akst,akdt,alaska=America/Anchorage America/Juneau America/Nome \
        America/Sitka;pacific,pst,pdt,pt=America/Los_Angeles America/Vancouver;pacific (mexico),baja \
        california=America/Tijuana;us mountain,arizona=America/Phoenix America/Creston America/Dawson_Creek \
        America/Fort_Nelson;mountain,mst,mdt=America/Denver America/Edmonton America/Boise America/Inuvik \
        America/Cambridge_Bay;mountain (mexico),chihuahua=America/Mazatlan;yukon=America/Whitehorse America/Dawson;\
        canada central,saskatchewan=America/Regina America/Swift_Current;central america=America/Guatemala \
        America/Costa_Rica;central,cst,cdt=America/Chicago America/Winnipeg America/Menominee America/Rankin_Inlet \
        America/Resolute;central (mexico),guadalajara=America/Mexico_City;eastern,est,edt,et=America/New_York \
        America/Toronto America/Detroit America/Iqaluit;us eastern,indiana (east)=America/Indiana/Indianapolis;sa \
        pacific=America/Bogota America/Jamaica America/Panama;atlantic,ast,adt=America/Halifax America/Moncton \
        America/Glace_Bay America/Goose_Bay Atlantic/Bermuda;sa western=America/La_Paz America/Puerto_Rico \
        America/Blanc-Sablon;venezuela=America/Caracas;newfoundland,nst,ndt=America/St_Johns;e. south \
        america=America/Sao_Paulo;argentina=America/Argentina/Buenos_Aires;sa eastern=America/Cayenne;\
        azores=Atlantic/Azores;gmt,bst,wet,edinburgh=Europe/London Europe/Dublin Europe/Lisbon;\
        greenwich=Atlantic/Reykjavik Africa/Abidjan;w. europe,cet,cest,mez,mesz=Europe/Berlin Europe/Amsterdam \
        Europe/Oslo Europe/Rome Europe/Stockholm Europe/Vienna Europe/Zurich;central europe=Europe/Budapest \
        Europe/Prague Europe/Belgrade;romance=Europe/Paris Europe/Brussels Europe/Copenhagen Europe/Madrid;central \
        european,sarajevo=Europe/Warsaw Europe/Zagreb;w. central africa=Africa/Lagos;gtb=Europe/Bucharest \
        Europe/Athens;middle east=Asia/Beirut;egypt=Africa/Cairo;south africa=Africa/Johannesburg;\
        fle,eet,eest=Europe/Kyiv Europe/Kiev Europe/Helsinki;israel=Asia/Jerusalem;turkey=Europe/Istanbul;\
        arab=Asia/Riyadh;russian=Europe/Moscow;e. africa=Africa/Nairobi;arabian=Asia/Dubai;pakistan=Asia/Karachi;\
        india,chennai,mumbai=Asia/Kolkata Asia/Calcutta;se asia=Asia/Bangkok;china,beijing,hong kong=Asia/Shanghai;\
        singapore=Asia/Singapore;taipei=Asia/Taipei;w. australia=Australia/Perth;tokyo,jst,osaka=Asia/Tokyo;\
        korea=Asia/Seoul;aus central=Australia/Darwin;cen. australia=Australia/Adelaide;e. \
        australia=Australia/Brisbane;aus eastern,aest,aedt,canberra,melbourne=Australia/Sydney;new \
        zealand,nzst,nzdt,wellington=Pacific/Auckland;afghanistan=Asia/Kabul;alberta=America/Edmonton;\
        aleutian=America/Adak;altai=Asia/Barnaul;arabic=Asia/Baghdad;astrakhan=Europe/Astrakhan;aus central \
        w.=Australia/Eucla;azerbaijan=Asia/Baku;bahia=America/Bahia;bangladesh=Asia/Dhaka;belarus=Europe/Minsk;\
        bougainville=Pacific/Bougainville;british columbia=America/Vancouver;cape verde=Atlantic/Cape_Verde;\
        caucasus=Asia/Yerevan;central asia=Asia/Bishkek;central brazilian=America/Cuiaba;central \
        pacific=Pacific/Guadalcanal;chatham islands=Pacific/Chatham;cuba=America/Havana;dateline=Etc/GMT+12;e. \
        europe=Europe/Chisinau;easter island=Pacific/Easter;eastern (mexico)=America/Cancun;\
        ekaterinburg=Asia/Yekaterinburg;fiji=Pacific/Fiji;georgian=Asia/Tbilisi;greenland=America/Godthab;\
        haiti=America/Port-au-Prince;iran=Asia/Tehran;jordan=Asia/Amman;kaliningrad=Europe/Kaliningrad;\
        libya=Africa/Tripoli;line islands=Pacific/Kiritimati;lord howe=Australia/Lord_Howe;magadan=Asia/Magadan;\
        magallanes=America/Punta_Arenas;manitoba=America/Winnipeg;marquesas=Pacific/Marquesas;\
        mauritius=Indian/Mauritius;montevideo=America/Montevideo;morocco=Africa/Casablanca;myanmar=Asia/Rangoon;n. \
        central asia=Asia/Novosibirsk;namibia=Africa/Windhoek;nepal=Asia/Katmandu;norfolk=Pacific/Norfolk;north asia \
        east=Asia/Irkutsk;north asia=Asia/Krasnoyarsk;north korea=Asia/Pyongyang;omsk=Asia/Omsk;pacific \
        sa=America/Santiago;paraguay=America/Asuncion;qyzylorda=Asia/Qyzylorda;russia zone 10=Asia/Srednekolymsk;\
        russia zone 11=Asia/Kamchatka;russia zone 3=Europe/Samara;saint pierre=America/Miquelon;\
        sakhalin=Asia/Sakhalin;samoa=Pacific/Apia;sao tome=Africa/Sao_Tome;saratov=Europe/Saratov;south \
        sudan=Africa/Juba;sri lanka=Asia/Colombo;sudan=Africa/Khartoum;syria=Asia/Damascus;tasmania=Australia/Hobart;\
        tocantins=America/Araguaina;tomsk=Asia/Tomsk;tonga=Pacific/Tongatapu;transbaikal=Asia/Chita;turks and \
        caicos=America/Grand_Turk;ulaanbaatar=Asia/Ulaanbaatar;vladivostok=Asia/Vladivostok;\
        volgograd=Europe/Volgograd;w. mongolia=Asia/Hovd;west asia=Asia/Tashkent;west bank=Asia/Hebron;west \
        pacific=Pacific/Port_Moresby;yakutsk=Asia/Yakutsk
        """
}
