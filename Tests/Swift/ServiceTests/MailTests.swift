import Bytes
import Foundation
import SookeModel
import Testing

@testable import Service
@testable import Store

/// Who gets e-mail, when, and what becomes of it. Zeds is Olga's; Ada and Edda decide for the town; Mia submits events.
@Suite struct MailTests {
    private static let from = "town@town.example"

    private func mailingTown() async throws -> ServiceTown {
        let town = try await ServiceTown()
        #expect(try await town.service.takeMail(from: Self.from) == nil)
        return town
    }

    /// What is handed out, as `name: subject`, and sent.
    @discardableResult
    private func sent(by town: ServiceTown, as result: MailReport.Outcome = .sent) async throws -> [String] {
        var lines: [String] = []
        while let mail = try await town.service.takeMail(from: Self.from) {
            lines.append("\(mail.to.prefix { $0 != "@" }): \(mail.subject)")
            try await town.service.reportMail(MailReport(mail.id, result, words: "550 no a@b.example here"))
        }
        return lines.sorted()
    }

    private func invite(_ name: String, in town: ServiceTown) async throws {
        let person = PatchInput<Person> { ($0.email, $0.role) = ("\(name)@far.example", .generalUser) }
        _ = try await town.service.invite(person, for: town.context(.local))
    }

    /// Until it is first asked for messages, a town puts none into the queue.
    @Test func withoutASenderNothingIsQueued() async throws {
        let town = try await ServiceTown()
        try await invite("una", in: town)
        #expect(town.town.mails.count == 0 && !town.service.mailStatus(in: town.town).isSending)
        await #expect(throws: ServiceError.self) { try await town.service.takeMail(from: nil) }
        #expect(try await sent(by: town) == [])
        try await invite("una", in: town)
        try await town.restart()
        #expect(try await sent(by: town) == ["una: Your account at Our town"])
        let mail = try #require(town.town.mails[1])
        #expect(mail.state == .sent && mail.email == nil && mail.credential == nil)
        #expect(town.service.mailStatus(in: town.town).text == "sent by sooke outside from \(Self.from); 0 waiting")
    }

    @Test func whoDecidesHearsOfWhatWaitsOnceAnHour() async throws {
        let town = try await mailingTown()
        #expect(await town.propose(at: "zeds") == "created")
        #expect(await town.propose(at: "zeds") == "created")
        // Olga has one event to decide on from before.
        #expect(try await sent(by: town) == ["olga: 3 events and reports wait for you"])
        #expect(await town.propose(from: [198, 51, 100, 7]) == "created")
        #expect(await town.propose(from: [198, 51, 100, 8], at: "zeds") == "created")
        #expect(try await sent(by: town).map { $0.prefix(4) } == ["ada:", "edda"])
        town.clock.advance(bySeconds: 3_590)
        #expect(try await sent(by: town) == [])
        town.clock.advance(bySeconds: 20)
        #expect(try await sent(by: town) == ["olga: 4 events and reports wait for you"])
    }

    @Test func whoSubmittedAnEventHearsThatItIsPublished() async throws {
        let town = try await mailingTown()
        let own = try await town.proposedEvent(as: .mia)
        #expect(try await town.accept(own, as: .ada) == "updated")
        #expect(try await sent(by: town).contains("mia: Your event is published: Fair"))
        let quiz = try #require(town.town.events[1])
        let version = Precondition.Versions(digests: [quiz.digest])
        await town.expect("updated", of: .olga) {
            town.service.approveEvent(quiz.value.slug, versions: version, for: $0)
        }
        #expect(try await sent(by: town) == ["mia: Your event is published: Quiz"])
    }

    /// Exactly one message for each, three a day for a network, and none to who wants none.
    @Test func aStrangerGetsTheirReference() async throws {
        let town = try await mailingTown()
        for _ in 0..<4 {
            let message = ProposalMessage(text: "words", email: "canary@far.example", reference: try Token(.reference))
            for _ in 0..<2 {
                await town.expect("created", of: .nobody) {
                    town.service.propose(event: ServiceTown.event(), message, for: $0)
                }
            }
        }
        #expect(
            try await sent(by: town).filter { $0.hasPrefix("canary") }
                == .init(repeating: "canary: Your private link", count: 3))
        let code = "\(town.service.key.digest(ofAddress: "Canary@far.example")).reference"
        let stop = try #require(town.service.mailStop("\(code).\(town.service.key.code(of: "stop \(code)"))"))
        #expect(town.service.mailStop("\(code).\(town.service.key.code(of: code))") == nil)
        for _ in 0..<2 {
            try await town.service.run(
                town.service.stopMail(stop, for: town.context(.nobody)), for: town.context(.nobody))
        }
        let count = town.town.mails.count
        try await invite("canary", in: town)
        #expect(town.town.mails.count == count)
    }

    /// One a day for each owner; the answer of the link is that the place is confirmed.
    @Test func ownersAreAskedAfterHalfAYear() async throws {
        let town = try await mailingTown()
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.update(1, Patch<Business> { $0.publicHolidays = .ask })
        }
        town.clock.advance(bySeconds: 184 * 86_400)
        try await town.restart()
        town.clock.advance(bySeconds: 300)
        var mails: [MailMessage] = []
        while let mail = try await town.service.takeMail(from: Self.from) {
            mails.append(mail)
            try await town.service.reportMail(MailReport(mail.id, .sent))
            town.clock.advance(bySeconds: 60)
        }
        #expect(Set(mails.map(\.to)) == ["olga@town.example", "otto@town.example"])
        let mail = try #require(mails.first { $0.subject == "Is this still right? Anchor" })
        let start = try #require(mail.text.range(of: "/confirm/")).upperBound
        let link = mail.text[start...].prefix { !$0.isWhitespace }
        await town.expect("updated", of: .nobody) { town.service.confirmBusiness(byLink: String(link), for: $0) }
        #expect(town.town.businesses[2]?.confirmedAt == town.clock.now)
        town.clock.advance(bySeconds: 86_400)
        try await town.restart()
        try await sent(by: town)
        #expect(town.town.mails.count == mails.count, "nobody is asked twice")
    }

    @Test func eachIsTriedForADay() async throws {
        let town = try await mailingTown()
        try await invite("una", in: town)
        var tries = 0
        for _ in 0..<(26 * 60) {
            tries += try await sent(by: town, as: .failed).count
            town.clock.advance(bySeconds: 60)
        }
        let mail = try #require(town.town.mails[1])
        #expect(tries == 14 && mail.state == .failed && mail.words == "550 no (address) here")
        try await invite("vera", in: town)
        try await sent(by: town, as: .refused)
        #expect(town.town.mails[2]?.state == .failed)
        #expect(town.service.mailStatus(in: town.town).failed.map(\.id) == [2, 1])
    }

    @Test func asManyAreSentInAnHour() async throws {
        let town = try await mailingTown()
        for number in 0..<120 { try await invite("p\(number)", in: town) }
        #expect(try await sent(by: town).count == 100)
        try await town.restart()
        // Also when the clock is set back.
        for seconds in [0, -7_200, 7_200] {
            town.clock.advance(bySeconds: seconds)
            try await invite("late\(seconds)", in: town)
            #expect(try await sent(by: town) == [])
        }
        town.clock.advance(bySeconds: 3_601)
        #expect(try await sent(by: town).count == 23)
    }
}
