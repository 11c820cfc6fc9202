import Testing

@testable import SookeModel

@Suite struct PlaceTextTests {
    /// The place that most texts mean.
    private static let sooke = Coordinates(latitude: 48.374, longitude: -123.726)

    @Test(arguments: [
        "48.374, -123.726", "48.374 -123.726", "48.374,-123.726", " 48.374 ,\t-123.726 ", "48.374;-123.726",
        "48.374 / -123.726", "+48.374, -123.726", "48.374,\u{A0}\u{2212}123.726", "(48.374, -123.726)",
        "[48.374, -123.726]", "48.374°, -123.726°", "48.374° -123.726°", "48,374; -123,726", "48,374 -123,726",
        "48,374,-123,726", "48,374, -123,726",
        // Letters.
        "48.374° N, 123.726° W", "48.374 N 123.726 W", "48.374n, 123.726w", "N48.374 W123.726",
        "N 48.374° W 123.726°", "123.726° W, 48.374° N", "W123.726, N48.374", "48.374 N, -123.726", "48.374, 123.726 W",
        "48,374° N; 123,726° W",
        // Degrees, minutes and seconds.
        "48°22'26.4\"N 123°43'33.6\"W", "48° 22′ 26.4″ N, 123° 43′ 33.6″ W", "48º22’26.4”N 123º43’33.6”W",
        "48°22'26.4''N 123°43'33.6''W", "N 48°22.44' W 123°43.56'", "48°22.44'N, 123°43.56'W",
        "48°22'26,4\"N 123°43'33,6\"W",
        // A letter right before a number belongs to that number, and one right after a number to that.
        "48.374 W123.726", "N48.374 -123.726", "48.374N 123.726W", "48.374N123.726W", "48.374, W123.726",
        "48°22'26.4\"N123°43'33.6\"W",
        // Minutes and seconds without their signs.
        "48 22 26.4 N, 123 43 33.6 W", "48 22 26.4N 123 43 33.6W", "N48 22 26.4 W123 43 33.6",
        "N 48 22.44, W 123 43.56", "48 22.44 N 123 43.56 W", "48 22.44, -123 43.56", "48° 22.44 N, 123° 43.56 W",
        "48 22 26,4 N; 123 43 33,6 W", "48 22 26.4 -123 43 33.6",
        // Words.
        "lat 48.374 long -123.726", "Lat: 48.374, Lng: -123.726", "latitude=48.374 longitude=-123.726",
        "LON -123.726; LAT 48.374", "Lat. 48.374° N, Long. 123.726° W", "Latitude: 48,374 Longitude: -123,726",
        // What maps, people and spreadsheets add.
        "48.374,-123.726,17z", "48.374, -123.726, 350m", "48.374, -123.726 (approx)",
        "48.374, -123.726,17.5z (behind the hall)", "'48.374, -123.726", "’48.374, -123.726", "48.374, (123.726)",
        // WKT.
        "POINT(-123.726 48.374)", "point (-123.726  48.374)", "POINT Z (-123.726 48.374 12)",
        "POINTZ(-123.726 48.374 12)", "SRID=4326;POINT(-123.726 48.374)",
        // RFC 5870.
        "geo:48.374,-123.726", "geo:48.374,-123.726;u=35", "GEO:48.374,-123.726,12;crs=wgs84;u=35",
        "geo:0,0?q=48.374,-123.726(Harbour%20Books)", "geo:48.374,-123.726?z=17",
        // Google.
        "https://www.google.com/maps/@48.374,-123.726,17z",
        "https://www.google.ca/maps/place/Sooke/@48.374,-123.726,17z",
        "https://www.google.com/maps/place/Pub/@48.1,-123.1,17z/data=!3m1!4b1!4m6!3m5!1s0x0:0x1!8m2!3d48.374!4d-123.726!16s%2Fg%2F1",
        "https://www.google.com/maps/place/A/@48.1,-123.1,17z/data=!4m14!8m2!3d48.2!4d-123.2!3m5!8m2!3d48.374!4d-123.726",
        "https://maps.google.com/?q=48.374,-123.726", "https://maps.google.com/maps?q=48.374%2C-123.726&z=17",
        "https://maps.google.com/maps?q=loc:48.374,-123.726",
        "https://www.google.com/maps/search/?api=1&query=48.374%2C-123.726",
        "https://www.google.com/maps/search/48.374,+-123.726?entry=tts",
        "https://www.google.com/maps/place/48%C2%B022'26.4%22N+123%C2%B043'33.6%22W/@48.1,-123.1,17z",
        "https://www.google.com/maps/dir//48.374,-123.726/@48.1,-123.1,12z",
        "https://www.google.com/maps/dir/?api=1&destination=48.374,-123.726",
        "https://maps.google.com/maps?ll=48.374,-123.726&z=15",
        "https://maps.googleapis.com/maps/api/staticmap?center=48.374,-123.726",
        "https://maps.google.com/?q=Harbour+Books&ll=48.374,-123.726", "www.google.com/maps/@48.374,-123.726,17z",
        "google.com/maps?q=48.374,-123.726",
        "https://www.google.com/maps/embed?pb=!1m18!1m12!1m3!1d2645.1!2d-123.726!3d48.374!2m3!1f0!2f0!3f0!3m2!1i1024",
        "<iframe src=\"https://www.google.com/maps/embed?pb=!1m3!1d2645!2d-123.726!3d48.374!5m2!1sen\" width=\"6\">",
        // OpenStreetMap.
        "https://www.openstreetmap.org/#map=17/48.374/-123.726",
        "https://www.openstreetmap.org/node/1#map=17/48.374/-123.726&layers=T",
        "https://www.openstreetmap.org/?mlat=48.374&mlon=-123.726#map=5/10.1/20.2",
        "https://osm.org/?mlat=48.374&mlon=-123.726",
        // Apple.
        "https://maps.apple.com/?ll=48.374,-123.726&q=Harbour%20Books", "https://maps.apple.com/?q=48.374,-123.726",
        "https://maps.apple.com/place?address=x&coordinate=48.374,-123.726&name=Pub",
        "https://maps.apple.com/?ll=48.374%2C-123.726&spn=0.01,0.01",
        // Bing.
        "https://www.bing.com/maps?cp=48.374~-123.726&lvl=17",
        "https://bing.com/maps/default.aspx?sp=point.48.374_-123.726_Pub",
        "https://www.bing.com/maps?where1=48.374,-123.726&cp=48.1~-123.1",
    ])
    func places(text: String) throws {
        #expect(try PlaceText.coordinates(text) == Self.sooke)
    }

    @Test(arguments: [
        ("48°22'27\"N 123°43'34\"W", 48.3741667, -123.7261111), ("48°N 123°W", 48, -123), ("48, -123", 48, -123),
        ("0, 0", 0, 0), ("90, 180", 90, 180), ("-90, -180", -90, -180), ("33.9° S, 18.4° E", -33.9, 18.4),
        ("S33.9 E18.4", -33.9, 18.4), ("123.726 W, 48.374 N", 48.374, -123.726),
        ("48.374000000001, 7", 48.374000000001, 7),
        // Minutes of zero degrees keep their direction.
        ("0°30'S 0°15'W", -0.5, -0.25), ("-0.5, -0.25", -0.5, -0.25),
    ])
    func otherPlaces(text: String, latitude: Double, longitude: Double) throws {
        #expect(try PlaceText.coordinates(text) == Coordinates(latitude: latitude, longitude: longitude))
    }

    @Test(arguments: [
        ("", "is empty; write latitude and longitude, such as 48.374, -123.726"),
        (" \t", "is empty"), ("here", "is not a place that can be read"),
        ("6742 West Coast Rd", "is not a place that can be read"),
        ("48.374", "is one number; write latitude and longitude"), ("48,374", "is one number"),
        ("48,", "is one number"),
        ("48.374, -123.726, 12", "has more than two numbers"), ("48.374, -123.726 Sooke", "has more than two numbers"),
        (
            "-123.726, 48.374",
            "begins with -123.726, but a latitude must be between -90 and 90; if the two numbers are in the wrong order, write 48.374, -123.726"
        ),
        ("95, 200", "has the latitude 95.0; a latitude lies between -90 and 90 degrees"),
        ("48, 181", "has the longitude 181.0; a longitude lies between -180 and 180 degrees"),
        ("91 N, 10 E", "has the latitude 91.0"), ("48 N, 10 N", "has the same direction twice"),
        ("-48 S, 10 E", "has both a minus sign and the letter S"),
        ("48°60'N 1°E", "has minutes or seconds of 60 or more"),
        ("48.5°10'N 1°E", "has a fraction before its last number"),
        ("48°1.5'10\"N 1°E", "has a fraction before its last number"),
        ("1e400, 2", "has more than two numbers"), ("nan, nan", "is not a place that can be read"),
        ("0x10, 1", "is not a place that can be read"),
        ("48 22 12 30", "has more than two numbers"), ("48 22 27 N, 123 43 W", "has more than two numbers"),
        ("48 61 27 N, 123 43 39 W", "has more than two numbers"),
        ("48.374, -123.726, 17x", "has more than two numbers"),
        ("48.374, -123.726 (12)", "has more than two numbers"), ("lat 48.374 lat 2", "has the same direction twice"),
        ("lat 123.726 W, 48.374", "has the letter W with a latitude; correct one of them"),
        ("48.374 (123.726", "is not a place that can be read"),
        ("48.374, ", "is one number"), ("(48.374", "is not a place that can be read"),
        ("84VR9H5F+XX", "is not a place that can be read"),
        ("POINT(48.374 -123.726)", "has the latitude first; in WKT the longitude is first"),
        ("POINT EMPTY", "is not a point; write one such as"),
        ("POINT(1)", "is not a point; write one such as"), ("POINT(1 2", "is not a point; write one such as"),
        ("POLYGON((1 2, 3 4))", "is a POLYGON; only a point is a place"),
        ("SRID=3857;POINT(1 2)", "is in the system SRID=3857; convert it to SRID=4326"),
        ("geo:48.374", "is not a geo address; write one such as geo:48.374,-123.726"),
        ("geo:1,2;crs=moon-2011", "has \"crs=moon-2011\""), ("geo:95,1", "begins with 95.0, but a latitude must be"),
        (
            "https://maps.app.goo.gl/AbCdEf123",
            "is a short link without a location; open it first, then copy the long address"
        ),
        ("maps.app.goo.gl/AbCdEf123", "is a short link"), ("https://goo.gl/maps/xyz", "is a short link"),
        ("HTTPS://BIT.LY/xyz?q=Sooke", "is a short link"), ("https://osm.org/go/WIQt5--", "is a short link"),
        ("https://maps.apple/p/abc", "is a short link"),
        (
            "https://www.google.com/maps/place/Sooke,+BC/",
            "is a link without coordinates; click with the right button on the place"
        ),
        ("https://maps.google.com/?q=6742+West+Coast+Rd", "is a link without coordinates"),
        ("https://www.openstreetmap.org/node/123", "is a link without coordinates"),
        ("https://town.example", "is a link without coordinates"),
        ("https://maps.google.com/?q=48.374%2", "is a link without coordinates"),
        ("https://", "is a link without coordinates"),
        ("https://maps.google.com/?q=95,200", "is a link without coordinates"),
        (String(repeating: "1", count: 2_001), "has more than 2000 bytes"),
    ])
    func refusedTexts(text: String, message: String) {
        let error = #expect(throws: PlaceTextError.self) { try PlaceText.coordinates(text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("48.374", 48.374), ("48,374", 48.374), (" 48.374° N ", 48.374), ("48.374S", -48.374),
        ("N48°22'26.4\"", 48.374), ("-33.9", -33.9), ("−33,9°", -33.9), ("90", 90),
        ("48 22 26.4", 48.374), ("N48 22.44", 48.374), ("48 22.44", 48.374), ("48 22 26.4 S", -48.374),
        ("'48.374", 48.374), ("lat: 48.374", 48.374), ("48.374 (approx)", 48.374), ("(48.374 N)", 48.374),
        // A negative number of accountants.
        ("(33.9)", -33.9),
    ])
    func latitudes(text: String, degrees: Double) throws {
        #expect(try PlaceText.latitude(text) == degrees)
    }

    @Test(arguments: [
        ("-123.726", -123.726), ("123.726 W", -123.726), ("123,726° w", -123.726), ("E 123.726", 123.726), ("180", 180),
        ("(123.726)", -123.726), ("(123,726)", -123.726), ("(-123.726)", -123.726), ("W123 43.56", -123.726),
        ("123 43 33.6 W", -123.726), ("-123 43 33.6", -123.726), ("Lng -123.726", -123.726), ("'-123.726", -123.726),
    ])
    func longitudes(text: String, degrees: Double) throws {
        #expect(try PlaceText.longitude(text) == degrees)
    }

    @Test(arguments: [
        ("123.726 W", "is a longitude; write a latitude such as 48.374"),
        ("48.374, -123.726", "is not one number of degrees"),
        ("long 48.374", "is a longitude"), ("48 22", "is not one number of degrees"),
        ("91", "has the latitude 91.0"), ("north", "is not one number of degrees; write a latitude such as 48.374"),
        ("", "is not one number of degrees"),
        ("https://maps.google.com/?q=48.374,-123.726", "is not one number of degrees"),
    ])
    func refusedLatitudes(text: String, message: String) {
        let error = #expect(throws: PlaceTextError.self) { try PlaceText.latitude(text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}
