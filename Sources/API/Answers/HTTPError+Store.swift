import Credentials
import HTTP
import SookeModel
import Store

/// How what goes wrong behind the routes looks to a client.
extension HTTPError {
    init(_ error: any Error) {
        switch error {
        case let error as HTTPError: self = error
        case let error as EditError: self.init(error)
        case let error as FieldProblems: self.init(error)
        case StoreError.diskFull:
            self.init(
                .insufficientStorage, code: "disk_full", message: "the server's disk is full, try again later",
                headers: ["Retry-After": "5"])
        case StoreError.noRoomForSnapshot:
            self.init(
                .insufficientStorage, code: "disk_full",
                message: "the server's disk is full, the snapshot could not be written; the log goes on",
                headers: ["Retry-After": "60"])
        case StoreError.snapshotNotTaken:
            self.init(
                .serviceUnavailable, code: "snapshot_failed",
                message: "the snapshot could not be written; the log goes on",
                headers: ["Retry-After": "60"])
        case is StoreError, is PasswordHashError, is CancellationError:
            self = .overloaded
        default:
            self = .internalError
        }
    }
}
