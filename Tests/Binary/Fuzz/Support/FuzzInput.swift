/// What libFuzzer gives to a target.
public enum FuzzInput {
    /// The bytes of one run.
    public static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Ends the run as a find when a property does not hold. Not `precondition`, whose words a release build leaves
    /// out.
    public static func require(_ holds: Bool, _ property: @autoclosure () -> String) {
        if !holds { fatalError("property: \(property())") }
    }
}
