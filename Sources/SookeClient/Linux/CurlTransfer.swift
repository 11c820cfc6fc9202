#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// A response that libcurl receives on a thread of its own, which sleeps while nothing arrives. Follows redirects.
    final class CurlTransfer: Sendable {
        /// A file with the certificates to trust in the place of the system's, as curl itself reads it.
        @TaskLocal static var certificates = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
        /// As `URLSession`.
        private static let mostRedirects = 20

        private let library: CurlLibrary
        private let sink: StreamSink
        private let cancelled = Atomic(false)

        /// Nil when only a session can send the request as the app wants.
        init?(_ request: URLRequest, _ configuration: URLSessionConfiguration, _ sink: StreamSink) {
            guard !configuration.hasOwnProtocols, request.url?.isHTTP == true, let library = CurlLibrary.shared else {
                return nil
            }
            (self.library, self.sink) = (library, sink)
            var request = request
            for case (let name as String, let value as String) in configuration.httpAdditionalHeaders ?? [:]
            where request.value(forHTTPHeaderField: name) == nil {
                request.setValue(value, forHTTPHeaderField: name)
            }
            let thread = Thread { [self, request, certificates = Self.certificates] in
                sink.end(run(request, certificates))
            }
            thread.name = "stream"
            thread.start()
        }

        /// The thread sees it after a second at most.
        func cancel() {
            cancelled.store(true, ordering: .relaxed)
        }

        fileprivate var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

        /// Returns why there is no complete response; nil for one.
        private func run(_ first: URLRequest, _ certificates: String?) -> (any Error)? {
            var request = first
            for _ in 0...Self.mostRedirects {
                guard request.url?.isHTTP == true else { return URLError(.unsupportedURL) }
                let response = CurlResponse(self, request, sink)
                let code = library.perform(request, response, certificates)
                if isCancelled { return CancellationError() }
                if code != 0, !response.isDone { return library.error(code) }
                guard let next = response.redirect else { return nil }
                request = next
            }
            return URLError(.httpTooManyRedirects)
        }
    }

    extension URL {
        fileprivate var isHTTP: Bool { scheme == "http" || scheme == "https" }
    }

    extension URLSessionConfiguration {
        fileprivate var hasOwnProtocols: Bool {
            protocolClasses?.contains { !String(reflecting: $0).hasPrefix("FoundationNetworking.") } ?? false
        }
    }

    private final class CurlResponse {
        let transfer: CurlTransfer
        private(set) var isDone = false
        private(set) var redirect: URLRequest?

        private let request: URLRequest
        private let sink: StreamSink
        private var status = 0
        private var fields: [String: String] = [:]

        init(_ transfer: CurlTransfer, _ request: URLRequest, _ sink: StreamSink) {
            (self.transfer, self.request, self.sink) = (transfer, request, sink)
        }

        func takeBody(_ bytes: UnsafeRawBufferPointer) {
            isDone = !sink.put(.data(Data(bytes)))
        }

        /// Takes a line of the head. curl limits its length.
        func takeLine(_ bytes: UnsafeRawBufferPointer) {
            let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if line.isEmpty {
                // Neither an interim response nor the trailer of a body.
                if status >= 200 { isDone = !takeHead() }
                (status, fields) = (0, [:])
            } else if line.hasPrefix("HTTP/") {
                let words = line.split(separator: " ")
                (status, fields) = (words.count > 1 ? Int(words[1]) ?? 0 : 0, [:])
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                fields.merge([String(line[..<colon]): value]) { "\($0), \($1)" }
            }
        }

        /// False when the body is not wanted.
        private func takeHead() -> Bool {
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
            else { return false }
            if [301, 302, 303, 307, 308].contains(status),
                let location = response.value(forHTTPHeaderField: "Location"),
                let next = URL(string: location, relativeTo: url)?.absoluteURL
            {
                redirect = request
                redirect?.url = next
                // The token is for its server alone, and not to be read on the way.
                if next.host?.lowercased() != url.host?.lowercased() || url.scheme == "https" && next.scheme != "https"
                {
                    redirect?.setValue(nil, forHTTPHeaderField: "Authorization")
                }
                return false
            }
            return sink.put(.response(response))
        }
    }

    /// The functions of libcurl's easy interface. The library is in each process with FoundationNetworking, but its
    /// headers are not on each machine, so they are found by name.
    ///
    /// `curl_easy_setopt` takes a varying number of arguments, which Linux passes as those of any function.
    private struct CurlLibrary: Sendable {
        typealias Handle = UnsafeMutableRawPointer
        typealias Make = @convention(c) () -> Handle?
        typealias SetNumber = @convention(c) (Handle, Int32, Int) -> Int32
        typealias SetPointer = @convention(c) (Handle, Int32, UnsafeRawPointer?) -> Int32
        typealias Perform = @convention(c) (Handle) -> Int32
        typealias End = @convention(c) (Handle?) -> Void
        typealias Append = @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
        typealias Describe = @convention(c) (Int32) -> UnsafePointer<CChar>?
        typealias Receive = @convention(c) (UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?) -> Int
        typealias Progress = @convention(c) (UnsafeMutableRawPointer?, Int, Int, Int, Int) -> Int32

        private let make: Make
        private let setNumber: SetNumber
        private let setPointer: SetPointer
        private let perform: Perform
        private let clean: End
        private let append: Append
        private let free: End
        private let describe: Describe

        /// What the process has loaded, or else the library; nil when it is not there.
        static let shared = CurlLibrary(nil) ?? dlopen("libcurl.so.4", RTLD_NOW).flatMap { CurlLibrary($0) }

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

        /// Options with a number, by their numbers in curl.h.
        private static let numbers: [(option: Int32, value: Int)] = [
            (99, 1),  // NOSIGNAL
            (78, 30),  // CONNECTTIMEOUT
            (181, 3),  // PROTOCOLS: http and https
            (265, 1),  // SUPPRESS_CONNECT_HEADERS
            (43, 0),  // NOPROGRESS
        ]
        private static let (url, fields, certificateFile) = (Int32(10002), Int32(10023), Int32(10065))
        private static let (write, header, progress) = (Int32(20011), Int32(20079), Int32(20219))
        /// The data for these functions.
        private static let data: [Int32] = [10001, 10029, 10057]

        /// Sends a `GET`, and blocks until the response ends or no more is wanted. Returns curl's code, 0 for success.
        func perform(_ request: URLRequest, _ response: CurlResponse, _ certificates: String?) -> Int32 {
            guard let handle = make() else { return 2 }
            defer { clean(handle) }
            var list: Handle?
            defer { free(list) }
            let names = [("User-Agent", "SookeClient")] + (request.allHTTPHeaderFields ?? [:]).map { ($0, $1) }
            for (name, value) in names { list = append(list, "\(name): \(value)".filter { !$0.isNewline }) ?? list }
            for (option, value) in Self.numbers { _ = setNumber(handle, option, value) }
            for (option, text) in [(Self.url, request.url?.absoluteString), (Self.certificateFile, certificates)] {
                _ = text?.withCString { setPointer(handle, option, $0) }
            }
            _ = setPointer(handle, Self.fields, list)
            setCallbacks(handle)
            for option in Self.data { _ = setPointer(handle, option, Unmanaged.passUnretained(response).toOpaque()) }
            return withExtendedLifetime(response) { perform(handle) }
        }

        private func setCallbacks(_ handle: Handle) {
            let write: Receive = { CurlLibrary.take($0, $1 * $2, $3) { $0.takeBody($1) } }
            let header: Receive = { CurlLibrary.take($0, $1 * $2, $3) { $0.takeLine($1) } }
            let progress: Progress = { pointer, _, _, _, _ in
                CurlLibrary.response(pointer)?.transfer.isCancelled == true ? 1 : 0
            }
            _ = setPointer(handle, Self.write, unsafeBitCast(write, to: UnsafeRawPointer.self))
            _ = setPointer(handle, Self.header, unsafeBitCast(header, to: UnsafeRawPointer.self))
            _ = setPointer(handle, Self.progress, unsafeBitCast(progress, to: UnsafeRawPointer.self))
        }

        private static func response(_ pointer: UnsafeMutableRawPointer?) -> CurlResponse? {
            pointer.map { Unmanaged<CurlResponse>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Returns how many bytes were taken; fewer than there are end the transfer.
        private static func take(
            _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ pointer: UnsafeMutableRawPointer?,
            _ body: (CurlResponse, UnsafeRawBufferPointer) -> Void
        ) -> Int {
            guard let response = response(pointer), !response.transfer.isCancelled else { return 0 }
            body(response, UnsafeRawBufferPointer(start: bytes, count: count))
            return response.isDone ? 0 : count
        }

        func error(_ code: Int32) -> URLError {
            let message = describe(code).map { String(cString: $0) } ?? "curl failed with \(code)"
            let kind: URLError.Code =
                switch code {
                case 5, 6: .cannotFindHost
                case 7, 28: .cannotConnectToHost
                case 8, 23: .badServerResponse
                case 35: .secureConnectionFailed
                case 60: .serverCertificateUntrusted
                default: .networkConnectionLost
                }
            return URLError(kind, userInfo: [NSLocalizedDescriptionKey: message])
        }
    }
#endif
