import Bytes
import Testing

@Suite struct CountTests {
    @Test(arguments: [
        (0, "change", "0 changes"), (1, "change", "1 change"), (2, "change", "2 changes"),
        (1, "business", "1 business"), (40, "business", "40 businesses"), (1, "category", "1 category"),
        (10, "category", "10 categories"), (3, "day", "3 days"), (2, "batch", "2 batches"), (2, "box", "2 boxes"),
        (1, "event type", "1 event type"), (1000, "record", "1,000 records"), (-1, "hour", "-1 hours"),
    ])
    func countsWithANoun(number: Int, noun: String, text: String) {
        #expect("\(Count(number, noun))" == text)
    }

    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
        (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func groupsDigits(number: Int, text: String) {
        #expect(Count.grouped(number) == text)
    }
}
