import Testing

@testable import Exchange

@Suite struct CancelledTitleTests {
    @Test(arguments: [
        ("CANCELLED: Jam", "Jam"), ("Cancelled - Jam", "Jam"), ("canceled – Jam", "Jam"), ("Cancelled! Jam", "Jam"),
        ("(Cancelled) Jam", "Jam"), ("[CANCELED] Jam", "Jam"), ("{cancelled} Jam", "Jam"), ("CANCELLED Jam", "Jam"),
        ("Cancelled/Jam", "Jam"), ("*** CANCELLED *** Jam Night", "Jam Night"), ("❌ CANCELLED: Jam", "Jam"),
        ("Jam (cancelled)", "Jam"), ("Jam - CANCELLED", "Jam"), ("Jam – cancelled", "Jam"), ("Jam CANCELLED", "Jam"),
        ("Jam: cancelled", "Jam"), ("Jam [cancelled!]", "Jam"), ("Jam / Cancelled", "Jam"), ("Jam cancelled!", "Jam"),
        ("Annulé : Bal", "Bal"), ("ANNULÉE – Fête", "Fête"), ("Cours (annulés)", "Cours"),
        ("Annulées: Visites", "Visites"), ("Annule\u{301}: Bal", "Bal"), ("Jam (Pub) - CANCELLED", "Jam (Pub)"),
        ("CANCELLED (Pub) Jam", "(Pub) Jam"), ("CANCELLED: CANCELED - Jam", "Jam"), ("CANCELLED: JAM", "JAM"),
        ("Jam-CANCELLED", "Jam"),
    ])
    func cancels(title: String, rest: String) {
        #expect(CancelledTitle.rest(of: title) == rest)
    }

    @Test(arguments: [
        "Why Subscriptions Get Cancelled", "Cancelled Stamps Club", "CANCELLED STAMPS FAIR", "Jam cancelled",
        "Cancelled", "CANCELLED", "(cancelled)", "Not cancelled: Jam", "Jam (not cancelled)", "Jam: NOT CANCELLED",
        "Jam: not cancelled!", "Cancelled-cheque Workshop", "The Cancelled Play: Questions", "Uncancelled: a Film",
        "Cancellation: Your Rights", "Cancelling: a Guide", "Cancelled (a Play)", "Cancelled? Ask Us",
        "\"Cancelled\" – a Film", "Pas annulé : Bal", "Les rendez-vous annulés", "How I Got Cancelled (and Lived)",
        "Flights, Delayed or Cancelled", "Annulation : Bal", "Pre-cancelled Stamps", "Stamps, pre-cancelled", "", "!",
        "Jam",
    ])
    func staysAsItIs(title: String) {
        #expect(CancelledTitle.rest(of: title) == nil)
    }

    @Test func aLongTitleIsNoMark() {
        #expect(CancelledTitle.rest(of: "CANCELLED: " + String(repeating: "a", count: 1_000)) == nil)
    }
}
