import SookeModel
import Testing

@Suite struct FieldSetTests {
    private typealias Field = Business.Field

    /// Every pair of fields.
    @Test(arguments: Business.Field.allCases, Business.Field.allCases)
    func holdsWhatIsPutIn(one: Business.Field, other: Business.Field) {
        var set: FieldSet<Field> = [one]
        #expect(set.contains(one) && set.contains(other) == (one == other))
        #expect(set.isSubset(of: [one, other]) && set.isSubset(of: [other]) == (one == other))
        #expect((set.subtracting([other]) == []) == (one == other))
        set.insert(other)
        #expect(set == [other, one] && Array(set) == Field.allCases.filter { $0 == one || $0 == other })
        var united: FieldSet<Field> = [other]
        united.formUnion([one])
        #expect(united == set)
    }

    @Test func holdsAllAndNone() {
        let all = FieldSet(Field.allCases)
        #expect(Array(all) == Field.allCases)
        #expect(FieldSet<Field>() == [] && Array(FieldSet<Field>()).isEmpty)
        #expect(FieldSet<Field>().isSubset(of: []) && !all.isSubset(of: []) && all.subtracting(all) == [])
    }
}
