import SookeModel
import Testing

@Suite struct BoundingBoxTests {
    @Test(arguments: [
        // west, south, east, north, latitude, longitude
        (-124.0, 48.0, -123.0, 49.0, 48.5, -123.5, true), (-124, 48, -123, 49, 48, -124, true),
        (-124, 48, -123, 49, 49, -123, true), (-124, 48, -123, 49, 49.1, -123.5, false),
        (-124, 48, -123, 49, 48.5, -122.9, false),
        // Across the date line.
        (179, -1, -179, 1, 0, 179.5, true), (179, -1, -179, 1, 0, -179.5, true), (179, -1, -179, 1, 0, 180, true),
        (179, -1, -179, 1, 0, -180, true), (179, -1, -179, 1, 0, 0, false), (179, -1, -179, 1, 2, 180, false),
        // The date line has two names.
        (179, -1, 180, 1, 0, -180, true), (-180, -1, -179, 1, 0, 180, true), (179, -1, 180, 1, 0, -179.9, false),
        // One meridian, one parallel, one place, and the whole Earth.
        (5, -90, 5, 90, 90, 5, true), (-180, 7, 180, 7, 7, 7, true), (5, 7, 5, 7, 7, 5, true),
        (-180, -90, 180, 90, -90, 180, true),
    ])
    func contains(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double, _ latitude: Double, _ longitude: Double,
        _ isInside: Bool
    ) throws {
        let box = try #require(BoundingBox(west: west, south: south, east: east, north: north))
        let place = try #require(Coordinates(latitude: latitude, longitude: longitude))
        #expect(box.contains(place) == isInside)
    }

    @Test(arguments: [
        (-124.0, 49.0, -123.0, 48.0), (-181, 48, -123, 49), (-124, 48, 181, 49), (-124, -91, -123, 49),
        (-124, 48, -123, 91), (.nan, 0, 0, 0), (0, .nan, 0, 0), (0, 0, .infinity, 0),
    ])
    func refusesImpossibleEdges(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
        #expect(BoundingBox(west: west, south: south, east: east, north: north) == nil)
    }
}
