/// The version and build of this binary.
enum BuildInfo {
    /// The version, by semantic versioning.
    static let version = "0.1.0"

    /// `sooke 0.1.0 (Swift 6.3, Linux x86_64)`
    static let line = "sooke \(version) (Swift \(compiler), \(system) \(architecture))"

    private static var compiler: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    private static var system: String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #else
            "another system"
        #endif
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another processor"
        #endif
    }
}
