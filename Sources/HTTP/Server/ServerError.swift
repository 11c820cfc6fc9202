/// Why a server cannot start, with a message for people: what is wrong, where, what to do.
public struct ServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for exit codes.
    public struct Code: Sendable, Equatable {
        private enum Value { case addressInUse, addressNotAvailable, permissionDenied, invalidAddress, noRoom, system }
        private let value: Value

        /// Another process listens at the address.
        public static let addressInUse = Code(value: .addressInUse)
        /// The machine does not have the address.
        public static let addressNotAvailable = Code(value: .addressNotAvailable)
        /// The user may not listen at the address.
        public static let permissionDenied = Code(value: .permissionDenied)
        /// The address is malformed.
        public static let invalidAddress = Code(value: .invalidAddress)
        /// The disk has no room for the file of a unix socket.
        public static let noRoom = Code(value: .noRoom)
        /// Another failure of the system.
        public static let system = Code(value: .system)
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do, in one line.
    public let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}
