import Bytes

/// What sort of place a category has, by the beginnings of the words of its slug: categories have no more than a name.
package enum PlaceKind: String, CaseIterable, Sendable {
    case food, shops, health, other

    package var name: String {
        switch self {
        case .food: "Food and drink"
        case .shops: "Shops"
        case .health: "Health"
        case .other: "Other"
        }
    }

    package init(of category: Category?) { self = Self.row(of: category)?.kind ?? .other }

    /// The type of schema.org by which search engines know its places.
    package static func schemaType(of category: Category?) -> String { row(of: category)?.type ?? "LocalBusiness" }

    private static func row(of category: Category?) -> (kind: PlaceKind, type: String)? {
        let words = category?.slug.text.split(separator: "-") ?? []
        // The first word says most: "coffee-shops" are for coffee. A short one is a whole word: "barbers" are no bars.
        for word in words {
            let row = table.first { row in
                word.hasPrefix(row.start) && (row.start.utf8.count > 3 || word.utf8.count <= row.start.utf8.count + 1)
            }
            if let row { return (row.kind, row.type) }
        }
        return nil
    }

    private static let table: [(start: String, kind: PlaceKind, type: String)] = [
        ("restaurant", .food, "Restaurant"), ("pizz", .food, "Restaurant"), ("food", .food, "FoodEstablishment"),
        ("cafe", .food, "CafeOrCoffeeShop"), ("café", .food, "CafeOrCoffeeShop"), ("coffee", .food, "CafeOrCoffeeShop"),
        ("baker", .food, "Bakery"), ("pub", .food, "BarOrPub"), ("bar", .food, "BarOrPub"),
        ("grocer", .food, "GroceryStore"), ("market", .food, "GroceryStore"), ("shop", .shops, "Store"),
        ("store", .shops, "Store"), ("retail", .shops, "Store"), ("cloth", .shops, "ClothingStore"),
        ("book", .shops, "BookStore"), ("hardware", .shops, "HardwareStore"), ("florist", .shops, "Florist"),
        ("pharmac", .health, "Pharmacy"), ("health", .health, "MedicalBusiness"), ("medic", .health, "MedicalClinic"),
        ("doctor", .health, "MedicalClinic"), ("clinic", .health, "MedicalClinic"), ("dent", .health, "Dentist"),
        ("vet", .health, "VeterinaryCare"), ("hospital", .health, "Hospital"), ("beauty", .other, "BeautySalon"),
        ("hair", .other, "HairSalon"), ("barber", .other, "HairSalon"), ("hotel", .other, "Hotel"),
        ("lodging", .other, "LodgingBusiness"), ("bank", .other, "BankOrCreditUnion"), ("auto", .other, "AutoRepair"),
        ("gas", .other, "GasStation"), ("librar", .other, "Library"), ("museum", .other, "Museum"),
        ("galler", .other, "ArtGallery"), ("school", .other, "School"), ("worship", .other, "PlaceOfWorship"),
        ("park", .other, "Park"), ("fitness", .other, "ExerciseGym"), ("government", .other, "GovernmentOffice"),
    ]
}
