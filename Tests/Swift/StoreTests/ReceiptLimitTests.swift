import Bytes
import SookeModel
import Testing

@testable import Store

/// The limits of the stored receipts of an account: the oldest are deleted in the same commit.
@Suite struct ReceiptLimitTests {
    private static func receipt(of person: Int?, _ number: Int) -> Receipt {
        var receipt = Receipt()
        (receipt.person, receipt.key, receipt.at) = (person, "key \(number)", Timestamp(clampingSeconds: number))
        (receipt.recordKind, receipt.record) = ("business", 1)
        return receipt
    }

    @Test func theOldestIsDeletedFirst() {
        var transaction = WriteTransaction(Town())
        for number in 1...1_100 { transaction.put(Self.receipt(of: 7, number)) }
        for number in 1...3 { transaction.put(Self.receipt(of: nil, number)) }
        let receipts = transaction.town.receipts
        #expect(receipts.count(of: 7) == 1_000)
        #expect(receipts.count(of: nil) == 3)
        #expect(receipts[person: 7, key: "key 100"] == nil)
        #expect(receipts[person: 7, key: "key 101"] != nil)
        #expect(receipts[person: 7, key: "key 1100"] != nil)
        #expect(receipts.count == 1_003)
    }
}
