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

    /// All without an account share one limit, and drop no receipt of the owner of the data folder.
    @Test func strangersHaveOneLimit() throws {
        var transaction = WriteTransaction(Town())
        var limits = AccountLimits()
        limits.strangerReceipts = 20
        transaction.put(Self.receipt(of: nil, 1))
        for number in 1...30 {
            for network in ["aa", "bb"] {
                var receipt = Self.receipt(of: nil, number)
                receipt.network = network
                transaction.put(receipt, limits: limits)
            }
        }
        let receipts = transaction.town.receipts
        #expect(receipts.count == 21 && receipts[.owner, key: "key 1"] != nil)
        #expect(receipts[.network("aa"), key: "key 21"] != nil && receipts[.network("bb"), key: "key 21"] != nil)
        #expect(receipts[.network("aa"), key: "key 20"] == nil && receipts[.network("cc"), key: "key 21"] == nil)
    }

    @Test func theOldestIsDeletedFirst() {
        var transaction = WriteTransaction(Town())
        for number in 1...1_100 { transaction.put(Self.receipt(of: 7, number)) }
        for number in 1...3 { transaction.put(Self.receipt(of: nil, number)) }
        let receipts = transaction.town.receipts
        #expect(receipts.count(of: ReceiptGroup(.person(7))) == 1_000)
        #expect(receipts.count(of: ReceiptGroup(.owner)) == 3)
        #expect(receipts[person: 7, key: "key 100"] == nil)
        #expect(receipts[person: 7, key: "key 101"] != nil)
        #expect(receipts[person: 7, key: "key 1100"] != nil)
        #expect(receipts.count == 1_003)
    }
}
