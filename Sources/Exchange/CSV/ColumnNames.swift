import Bytes

/// Names are compared without case, spaces and punctuation: `E-mail Address` is `email`.
enum ColumnNames {
    /// In bytes.
    static let longest = 60

    /// `Start time` is `start_time`.
    static func normalized(_ text: String) -> String {
        var name: [UInt8] = []
        var isBetween = false
        for byte in text.withoutInvisible.utf8 {
            guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 else {
                isBetween = !name.isEmpty
                continue
            }
            if isBetween { name.append("_") }
            isBetween = false
            name.append(ASCII.lowercased(byte))
        }
        return String(decoding: name, as: UTF8.self)
    }

    static func columns(named name: String) -> [String] {
        [name] + (others[name] ?? []) + (joined[name.filter { $0 != "_" }] ?? [])
    }

    /// Of a column with hours, such as `hours_mon_fri` or `monday_hours`.
    static func days(named name: String) -> [Int]? {
        let words = name.split(separator: "_").filter { !hoursWords.contains(String($0)) }
        if words.count == 1, let group = dayGroups[String(words[0])] { return group }
        let days = words.filter { $0 != "to" }.map { word in
            word.utf8.count < 2 ? nil : dayNames.firstIndex { $0.hasPrefix(word) || "\($0)s" == word }
        }
        switch days.count {
        case 1: return days[0].map { [$0] }
        case 2:
            guard let first = days[0], let last = days[1] else { return nil }
            return (0...(last - first + 7) % 7).map { (first + $0) % 7 }
        default: return nil
        }
    }

    /// The opening or the closing of some days, such as `monday_open` or `mon_closes_2`.
    struct DayEdge: Hashable {
        var days: [Int]
        var shift = 0
        var isOpening: Bool

        var other: DayEdge { DayEdge(days: days, shift: shift, isOpening: !isOpening) }
    }

    static func dayEdge(named name: String) -> DayEdge? {
        var words = name.split(separator: "_").map(String.init)
        var shift = 0
        if let last = words.last, let number = Int(last), 1...9 ~= number, words.count > 1 {
            shift = number - 1
            words.removeLast()
        }
        if words.count == 1 { words = parted(words[0]) }
        // "Mon To" beside "Mon From", not "Mon To Fri".
        if words.count == 2, words[1] == "to" { words[1] = "until" }
        let edges = words.filter { openings.contains($0) || closings.contains($0) }
        guard edges.count == 1, words.count > 1 else { return nil }
        let rest = words.filter { $0 != edges[0] && !["time", "at"].contains($0) }
        guard let days = days(named: rest.joined(separator: "_")) else { return nil }
        return DayEdge(days: days, shift: shift, isOpening: openings.contains(edges[0]))
    }

    /// `mondayopen` in two words.
    private static func parted(_ word: String) -> [String] {
        for edge in openings.union(closings) where word.count > edge.count + 2 {
            if word.hasSuffix(edge) { return [String(word.dropLast(edge.count)), edge] }
            if word.hasPrefix(edge) { return [edge, String(word.dropFirst(edge.count))] }
        }
        return [word]
    }

    private static let openings: Set<String> = [
        "open", "opens", "opening", "start", "starts", "from", "begin", "begins",
    ]
    private static let closings: Set<String> = [
        "close", "closes", "closing", "closed", "end", "ends", "until", "till", "finish",
    ]

    static let dayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let hoursWords: Set<String> = [
        "hours", "hour", "opening", "open", "business", "store", "hrs", "times",
    ]
    private static let dayGroups = [
        "weekdays": [1, 2, 3, 4, 5], "weekday": [1, 2, 3, 4, 5], "weekend": [6, 0], "weekends": [6, 0],
    ]

    private static let others: [String: [String]] = {
        var others: [String: [String]] = [:]
        for (column, names) in namesByColumn {
            for name in names { others[String(name), default: []].append(column) }
        }
        return others
    }()

    /// Without what is between words: `businessname`, `BusinessName`.
    private static let joined: [String: [String]] = {
        var joined: [String: [String]] = [:]
        for (column, names) in namesByColumn {
            for name in [Substring(column)] + names where name.contains("_") {
                joined[name.filter { $0 != "_" }, default: []].append(column)
            }
        }
        return joined
    }()

    /// Of a table the first column counts that it has.
    private static let namesByColumn = """
        business: business_slug business_name
        location: venue venue_name event_venue event_venue_name where location_name place held_at
        host: hosted_by event_host
        organizer: organiser organized_by organised_by event_organizer event_organiser organizer_name \
        organiser_name presented_by organisateur veranstalter
        price: cost fee fees admission entry entry_fee ticket_price tickets event_cost prix preis eintritt
        url: website web link event_url event_link event_website web_address website_url web_site homepage more_info
        name: business business_name name_of_business company company_name shop shop_name store store_name \
        organization organisation vendor vendor_name listing listing_name trading_name operating_as dba place \
        place_name title event event_name event_title subject summary activity program programme what nom bus_name \
        biz_name facility_name trade_name legal_name official_name operating_name doing_business_as
        category: categories type kind category_name category_slug business_type business_category type_of_business \
        primary_category main_category industry sector catégorie
        event_type: type kind category categories event_category type_of_event event_type_slug
        description: about details blurb summary info event_description business_description notes_for_public desc
        address: street street_address full_address civic_address physical_address business_address mailing_address \
        address_line_1 address_1 address1 street_address_1 street_1 location addr where adress adresse
        area: service_area area_served region_served
        latitude: lat y latitude_decimal decimal_latitude lat_decimal
        longitude: lon lng long x longitude_decimal decimal_longitude long_decimal
        coordinates: coordinate coords gps gps_coordinates lat_lon lat_lng lat_long latlng latlon latlong geo \
        position map maps map_link maps_link map_url maps_url google_maps google_maps_link google_maps_url \
        google_map pin latitude_longitude location_lat_long geolocation wkt geom the_geom geometry
        phone: telephone tel phone_number phone_no mobile cell cell_phone ph business_phone work_phone primary_phone \
        contact_number contact_phone phone_1 main_phone office_phone telefon téléphone
        email: e_mail mail email_address e_mail_address contact_email business_email public_email email_1 courriel
        website: web url web_site homepage site link web_address website_url www website_address website_1 \
        event_url site_web
        owner: owner_email
        opening_hours: hours business_hours open opening_times hours_of_operation store_hours open_hours hours_open \
        opening
        time_zone: timezone tz event_timezone
        starts_at: start starts begins begin from start_date_time date_time datetime when starts_on dtstart
        ends_at: end ends until to end_date_time dtend
        start_date: date day event_date event_start_date date_of_event datum
        start_time: time starts_time event_start_time event_time begin_time beginn
        end_date: event_end_date
        end_time: finish finish_time event_end_time
        all_day: all_day_event whole_day full_day is_all_day ganztags ganztägig journée_entière
        rrule: repeats recurrence recurrence_rule
        status: event_status
        """.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (column: String(words[0].dropLast()), names: words.dropFirst())
        }
}
