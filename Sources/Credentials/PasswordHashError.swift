/// Why a password was not hashed or compared. None of it depends on whether the password is right.
public enum PasswordHashError: Error, Equatable {
    /// The password is empty, holds a NUL byte or is longer than `PasswordPolicy.maximumBytes`. No hash stands for it.
    case unusablePassword
    /// The stored text is no hash of yescrypt.
    case malformedHash
    /// The operating system had no random bytes for the salt; its error number.
    case noRandomBytes(code: Int32)
    /// libcrypt could not do it, for want of memory as a rule; the operating system's error number.
    case failed(code: Int32)
    /// The thread could not be started; the operating system's error number.
    case noThread(code: Int32)
    /// As many passwords wait as may. The client is to come again: 503 with `Retry-After: 1`.
    case busy
    /// The task that waited was cancelled before its turn came.
    case cancelled
}
