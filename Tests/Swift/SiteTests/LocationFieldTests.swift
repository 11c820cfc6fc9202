import SookeModel
import Testing

@testable import Site

/// A form reads a location as an import does: the notations that phones, maps and people give.
@Suite struct LocationFieldTests {
    @Test(arguments: [
        "48.3743,-123.7254", " 48.3743, -123.7254 ", "48.3743 -123.7254", "geo:48.3743,-123.7254?z=17",
        "48.3743° N, 123.7254° W", "48°22'27.48\"N 123°43'31.44\"W", "48° 22′ 27.48″ N, 123° 43′ 31.44″ W",
        "N 48°22.458' W 123°43.524'", "48,3743; -123,7254", "Lat: 48.3743, Long: -123.7254", "48.3743 N 123.7254 W",
        "geo:0,0?q=48.3743,-123.7254(The Pub)",
        "https://www.openstreetmap.org/?mlat=48.3743&mlon=-123.7254#map=17/48.0/-123.0",
        "https://www.openstreetmap.org/#map=17/48.3743/-123.7254",
        "https://www.google.com/maps/place/Pub/@48.1,-123.1,17z/data=!3m1!4b1!4m5!3m4!1s0x0:0x0!8m2!3d48.3743!4d-123.7254",
        "https://www.google.com/maps/@48.3743,-123.7254,17z", "https://maps.google.com/?q=48.3743,-123.7254",
        "https://www.google.com/maps/search/?api=1&query=48.3743%2C-123.7254",
        "https://maps.apple.com/?ll=48.3743,-123.7254&q=Pub",
        "https://maps.apple.com/place?coordinate=48.3743,-123.7254",
    ])
    func aLocation(_ text: String) {
        var (patch, problems) = (Patch<Settings>(), FieldProblems())
        TownFields.center.set(text, in: &patch, &problems)
        #expect(problems.isEmpty)
        #expect(patch.values.center == Coordinates(latitude: 48.3743, longitude: -123.7254))
    }

    @Test(arguments: [
        "the pub", "48.3743", "https://maps.app.goo.gl/abc123", "148.3743,-123.7254", "48.3743,-223.7254", "48,123",
        "48.3743,-123.7254 and more", "https://www.google.com/maps?q=pub+sooke", "nan,nan", "q=1e5.0,3.0",
    ])
    func noLocation(_ text: String) {
        var (patch, problems) = (Patch<Settings>(), FieldProblems())
        TownFields.center.set(text, in: &patch, &problems)
        #expect(problems.all.map(\.field) == ["center"])
        #expect(patch.values.center == nil)
    }
}
