import SookeModel
import Testing

@Suite struct PlaceKindTests {
    @Test(arguments: [
        ("restaurants", PlaceKind.food, "Restaurant"), ("cafés-bakeries", .food, "CafeOrCoffeeShop"),
        ("coffee-shops", .food, "CafeOrCoffeeShop"), ("groceries-markets", .food, "GroceryStore"),
        ("pubs", .food, "BarOrPub"), ("public-services", .other, "LocalBusiness"), ("barbers", .other, "HairSalon"),
        ("shops-galleries", .shops, "Store"), ("health-wellness", .health, "MedicalBusiness"),
        ("vets", .health, "VeterinaryCare"), ("veterans-halls", .other, "LocalBusiness"),
        ("lodging", .other, "LodgingBusiness"), ("home-trades", .other, "LocalBusiness"), ("", .other, "LocalBusiness"),
    ])
    func category(slug: String, kind: PlaceKind, type: String) {
        var category = Category()
        category.slug = Slug(slug)
        #expect(PlaceKind(of: category) == kind && PlaceKind.schemaType(of: category) == type)
    }

    @Test func noCategory() {
        #expect(PlaceKind(of: nil) == .other && PlaceKind.schemaType(of: nil) == "LocalBusiness")
    }
}
