#if canImport(FoundationNetworking)
    import Foundation

    /// The functions of libcurl that a transfer needs. The library is in each process with FoundationNetworking, but
    /// its headers are not on each machine, so they are found by name.
    ///
    /// `curl_easy_setopt` takes a varying number of arguments, which Linux passes as those of any function.
    struct CurlLibrary: Sendable {
        typealias Handle = UnsafeMutableRawPointer
        typealias Make = @convention(c) () -> Handle?
        typealias SetNumber = @convention(c) (Handle, Int32, Int) -> Int32
        typealias SetPointer = @convention(c) (Handle, Int32, UnsafeRawPointer?) -> Int32
        typealias Perform = @convention(c) (Handle) -> Int32
        typealias End = @convention(c) (Handle?) -> Void
        typealias Append = @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
        typealias Describe = @convention(c) (Int32) -> UnsafePointer<CChar>?

        let make: Make
        let setNumber: SetNumber
        let setPointer: SetPointer
        let perform: Perform
        let clean: End
        let append: Append
        let free: End
        let describe: Describe

        /// The library; nil when it is not there.
        static let shared = CurlLibrary(nil) ?? dlopen("libcurl.so.4", RTLD_NOW).flatMap { CurlLibrary($0) }

        /// - Parameter library: where the functions are; nil for what the process has loaded.
        private init?(_ library: UnsafeMutableRawPointer?) {
            func find<Function>(_ name: String, _: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
            }
            guard let make = find("curl_easy_init", Make.self),
                let setNumber = find("curl_easy_setopt", SetNumber.self),
                let setPointer = find("curl_easy_setopt", SetPointer.self),
                let perform = find("curl_easy_perform", Perform.self), let clean = find("curl_easy_cleanup", End.self),
                let append = find("curl_slist_append", Append.self), let free = find("curl_slist_free_all", End.self),
                let describe = find("curl_easy_strerror", Describe.self)
            else { return nil }
            (self.make, self.setNumber, self.setPointer, self.perform) = (make, setNumber, setPointer, perform)
            (self.clean, self.append, self.free, self.describe) = (clean, append, free, describe)
        }
    }
#endif
