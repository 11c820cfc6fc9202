import SookeModel
import Testing

@testable import Exchange

/// Problems and warnings, in groups.
@Suite struct FindingsTests {
    private static func problem(_ line: Int, _ field: String, _ message: String) -> Finding {
        Finding(file: "x.csv", row: line, FieldProblem(field, message))
    }

    @Test func aMistakeInAColumnIsOneMessage() {
        let findings = Findings(
            (2...60).map { Self.problem($0, "category", "there is no category \"Bar \($0)\"") }
                + [Self.problem(7, "email", "must be an address")])
        #expect(findings.problemCount == 60)
        #expect(
            findings.lines == [
                "x.csv:2: category: there is no category \"Bar 2\" (59 like this: also in 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, …)",
                "x.csv:7: email: must be an address",
            ])
    }

    @Test func twentyKindsAreShown() {
        let fields = (0..<25).map { "column\(Unicode.Scalar(UInt8(97 + $0)))" }
        let findings = Findings(fields.map { Self.problem(2, $0, "is wrong") })
        #expect(findings.lines.count == 21)
        #expect(findings.lines.last == "… and 5 more")
    }

    @Test func anyNumberOfKindsIsBounded() {
        let findings = Findings((0..<3000).map { Self.problem(2, "field \($0)", "is wrong") })
        #expect(findings.all.count == Findings.limit)
        #expect(findings.problemCount == 3000)
    }
}
