import Bytes
import Platform

extension DataFolder {
    /// How long a command waits for the process that uses the folder.
    static let patience = Duration.seconds(10)

    /// Works on the town in a folder: through the server on it or, if none runs, in this process.
    ///
    /// A folder that another process has locked may get a server in a moment, such as one that was just started, or
    /// become free, as after an import: both ways are tried again until the time is over.
    ///
    /// - Parameters:
    /// - served: works through the server.
    /// - unserved: works in this process; throws an error with the code `locked`, and has done nothing, when another
    ///   process uses the folder.
    static func work<Value>(
        on folder: String, patience: Duration = patience,
        through served: (consuming AdminClient) throws(CommandError) -> Value,
        orHere unserved: () throws(CommandError) -> Value
    ) throws(CommandError) -> Value {
        let start = TimeSource.system.monotonic()
        while true {
            if let client = try AdminClient.connect(to: folder) { return try served(client) }
            do throws(CommandError) {
                return try unserved()
            } catch {
                let waited = Duration.nanoseconds(TimeSource.system.monotonic() - start)
                guard error.code == .locked, waited < patience else { throw error }
            }
            Thread.sleep(.milliseconds(50))
        }
    }
}
