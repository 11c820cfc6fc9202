import SookeModel
import Testing

@Suite struct FieldSetTests {
    private static let names = Business.fields.names

    @Test(arguments: names, names)
    func holdsWhatIsPutIn(one: String, other: String) {
        var set = FieldSet<Business>()
        set.insert(one)
        #expect(set.contains(one) && set.contains(other) == (one == other))
        var united = FieldSet<Business>()
        united.insert(other)
        #expect(united.isSubset(of: set) == (one == other))
        united.formUnion(set)
        #expect(set.isSubset(of: united) && united.subtracting(set).contains(other) == (one != other))
    }

    @Test func isInTheOrderOfTheFields() {
        let backwards: FieldSet<Business> = ["menus", "slug", "id"]
        #expect(backwards.names == ["id", "slug", "menus"])
        #expect(FieldSet<Business>.all.names == Self.names && FieldSet<Business>().names.isEmpty)
    }

    @Test func ofOptions() {
        let owner = FieldSet<Business> { $0.contains(.setByOwner) }
        #expect(owner.contains("phone") && !owner.contains("slug") && !owner.contains("former_slugs"))
        let administrator = FieldSet<Business> { $0.isGiven }
        #expect(owner.isSubset(of: administrator))
        #expect(administrator.subtracting(owner).names == ["slug", "owner_id", "category"])
    }
}
