import CSystem

/// What a crash leaves: the signal, the build, the request and the addresses of the code, before the default action of the
/// signal.
package enum CrashReport {
    /// Reports crashes of this process from now on, also to a file unless its path is empty.
    package static func begin(
        of program: String, to output: FileDescriptor = .standardError, inFile path: String = ""
    ) {
        sooke_report_crashes(program, output.number, path)
    }

    /// The request of the calling thread or task, at most 255 bytes. A thread of the pool has the one that it began last,
    /// although it continues other tasks too.
    package static var request: [UInt8] {
        get { TaskWork.current?.request ?? Array(String(cString: sooke_request()).utf8) }
        set { sooke_set_request(newValue, newValue.count) }
    }
}
