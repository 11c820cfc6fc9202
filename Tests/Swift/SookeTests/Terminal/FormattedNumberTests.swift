import Testing

@testable import sooke

@Suite struct FormattedNumberTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"), (9_949, "9.9 kB"),
        (9_950, "10 kB"), (12_345, "12 kB"), (999_499, "999 kB"), (999_950, "1.0 MB"), (1_234_567, "1.2 MB"),
        (64_000_000, "64 MB"), (2_500_000_000, "2.5 GB"), (Int.max, "9.2 EB"),
    ])
    func writesBytes(count: Int, text: String) {
        #expect(FormattedNumber.bytes(count) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0.0 s"), (.milliseconds(449), "0.4 s"), (.milliseconds(9_949), "9.9 s"),
        (.milliseconds(9_950), "10 s"), (.milliseconds(59_499), "59 s"), (.milliseconds(59_500), "1:00"),
        (.seconds(185), "3:05"), (.seconds(3723), "1:02:03"),
    ])
    func writesDurations(duration: Duration, text: String) {
        #expect(FormattedNumber.duration(duration) == text)
    }
}
