import Bytes
import Foundation
import Testing

@testable import SookeClient

/// Three versions of a record, merged field by field.
@Suite struct EditTests {
    private static func version(
        _ phone: String, _ email: String = "", tag: String = "1"
    ) -> RecordVersion<BusinessField> {
        var draft = BusinessDraft()
        (draft.name, draft.phone, draft.email) = ("Pub", phone, email)
        return RecordVersion(slug: "pub", entityTag: tag, draft: draft)
    }

    /// What was read, what is stored then, the draft; and what the draft becomes, or nil for a conflict.
    @Test(
        arguments: [
            ("a", "a", "a", "a"), ("a", "b", "a", "b"), ("a", "a", "b", "b"), ("a", "b", "b", "b"),
            ("a", "b", "c", nil), ("", "b", "", "b"), ("a", "", "a", ""), ("a", "", "c", nil),
            ("e\u{301}", "é", "e\u{301}", "é"), ("é", "é", "e\u{301}", "e\u{301}"), ("é", "e\u{301}", "e", nil),
        ] as [(String, String, String, String?)])
    func merges(before: String, theirs: String, mine: String, merged: String?) {
        var edit = Edit(Self.version(before))
        edit.mine.phone = mine
        edit.merge(Self.version(theirs, tag: "2"))
        #expect(edit.entityTag == "2")
        if let merged {
            #expect(edit.conflicts.isEmpty)
            #expect(Array(edit.mine.phone.utf8) == Array(merged.utf8))
            #expect(edit.changes == (merged.utf8.elementsEqual(theirs.utf8) ? [] : [.phone]))
        } else {
            #expect(
                edit.conflicts == [FieldConflict(field: .phone, before: before, theirs: theirs, mine: mine)])
            var kept = edit
            kept.resolve(.phone, keep: .mine)
            #expect(kept.conflicts.isEmpty && kept.changes == [.phone] && kept.mine.phone == mine)
            edit.resolve(.phone, keep: .theirs)
            #expect(edit.conflicts.isEmpty && edit.isUnchanged && edit.mine.phone == theirs)
        }
    }

    /// A conflict remains, with what was read first, when further versions come; it ends when the sides agree.
    @Test func aConflictThroughLaterVersions() {
        var edit = Edit(Self.version("a"))
        edit.mine.phone = "m"
        edit.merge(Self.version("b"))
        edit.merge(Self.version("c", "x@y.z"))
        #expect(edit.conflicts == [FieldConflict(field: .phone, before: "a", theirs: "c", mine: "m")])
        #expect(edit.mine.email == "x@y.z")
        var undone = edit
        undone.merge(Self.version("a"))
        #expect(undone.conflicts.isEmpty && undone.changes == [.phone])
        edit.merge(Self.version("m"))
        #expect(edit.isUnchanged)
    }

    /// Random histories: nothing that one side alone has done is lost, and what both did is never decided silently.
    @Test func randomMerges() {
        var random = SplitMix64(seed: 18)
        for _ in 0..<1_000 {
            var edit = Edit(RecordVersion(slug: "a", entityTag: "0", draft: Self.random(&random, BusinessDraft(), 1)))
            for step in 1...Int.random(in: 1...4, using: &random) {
                edit.mine = Self.random(&random, edit.mine, 0.3)
                let (old, version) = (edit, Self.random(&random, edit.theirs, 0.3))
                edit.merge(RecordVersion(slug: "a", entityTag: "\(step)", draft: version))
                #expect(edit.theirs == version)
                let conflicts = Set(edit.conflicts.map(\.field))
                for field in BusinessField.allCases {
                    let isMine = !old.mine.isSame(field, as: old.before)
                    let isTheirs = !version.isSame(field, as: old.before)
                    let agree = old.mine.isSame(field, as: version)
                    #expect(conflicts.contains(field) == (isMine && isTheirs && !agree))
                    #expect(edit.mine.isSame(field, as: isMine ? old.mine : version))
                    if conflicts.contains(field) { #expect(edit.before.isSame(field, as: old.before)) }
                }
                if Bool.random(using: &random), let conflict = edit.conflicts.randomElement(using: &random) {
                    let side = ConflictSide.allCases[Int.random(in: 0...1, using: &random)]
                    edit.resolve(conflict.field, keep: side)
                    #expect(!edit.conflicts.map(\.field).contains(conflict.field))
                    #expect(edit.mine.isSame(conflict.field, as: side == .mine ? old.mine : version))
                }
            }
            edit.revert()
            #expect(edit.isUnchanged && edit.mine == edit.theirs)
        }
    }

    private static func random(_ random: inout SplitMix64, _ draft: BusinessDraft, _ share: Double) -> BusinessDraft {
        var result = draft
        for field in BusinessField.allCases where Double.random(in: 0..<1, using: &random) < share {
            if field != .hours {
                result[field] = ["", "a", "b", "é", "e\u{301}"].randomElement(using: &random) ?? ""
            } else {
                let day = Int.random(in: 0...1, using: &random)
                result[hoursOn: day] = BusinessHour(
                    dayOfWeek: day, openTime: Bool.random(using: &random) ? "09:00:00" : "10:00:00",
                    closeTime: "17:00:00", isClosed: Bool.random(using: &random))
            }
        }
        return result
    }
}
