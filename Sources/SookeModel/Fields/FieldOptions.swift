/// Who may read and set a field, and where it occurs.
public struct FieldOptions: OptionSet, Sendable, Hashable {
    /// One bit for each option.
    public let rawValue: UInt8

    /// The options of some bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Responses have it.
    public static let shown = FieldOptions(rawValue: 1)
    /// The owner of the record may set it, and so may an administrator.
    public static let setByOwner = FieldOptions(rawValue: 2)
    /// An administrator may set it.
    public static let setByAdministrator = FieldOptions(rawValue: 4)
    /// Tables have a column for it.
    public static let column = FieldOptions(rawValue: 8)
    /// It must be given.
    public static let required = FieldOptions(rawValue: 16)
    /// It is not written when it is empty.
    public static let leftOutWhenEmpty = FieldOptions(rawValue: 32)
    /// Lists do not have it, only responses with one record.
    public static let onlyInDetail = FieldOptions(rawValue: 64)

    /// A public field that the owner sets.
    public static let open: FieldOptions = [.shown, .setByOwner, .column]
    /// A public field that an administrator sets.
    public static let reserved: FieldOptions = [.shown, .setByAdministrator, .column]
    /// A field that responses show in another form, and an administrator sets.
    public static let reference: FieldOptions = [.setByAdministrator, .column]
    /// A field that only the log, snapshots and exports have.
    public static let stored: FieldOptions = []

    /// Whether clients may set it.
    public var isGiven: Bool { !isDisjoint(with: [.setByOwner, .setByAdministrator]) }
}
