import Glibc

/// One run of libFuzzer, of the target that the variable SOOKE_FUZZ names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let target = getenv("SOOKE_FUZZ").map { String(cString: $0) } == "parser" ? checkConnection : checkJSON

/// Ends the run as a find when a property does not hold. Not `precondition`, whose words a release build leaves out.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { fatalError("property: \(property())") }
}
