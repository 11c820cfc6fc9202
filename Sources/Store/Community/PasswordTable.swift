import BTree
import SookeModel

/// The passwords, each by the number of its person.
public struct PasswordTable: Sendable {
    private var byID = BTree<Int, PasswordRecord>()

    /// How many there are.
    public var count: Int { byID.count }

    /// The password of a person.
    public subscript(person: Int) -> PasswordRecord? { byID[person] }

    /// All passwords in the order of their people's numbers.
    public var inOrderOfID: some Sequence<PasswordRecord> { byID.lazy.map(\.value) }

    mutating func put(_ password: PasswordRecord) {
        byID.updateValue(password, forKey: password.id)
    }

    mutating func remove(id: Int) {
        byID.removeValue(forKey: id)
    }
}
