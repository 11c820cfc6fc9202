#if canImport(Darwin)
    import Foundation
#else
    @_spi(_Unicode) import Swift
#endif

extension String {
    /// The text in Unicode's canonical decomposition: each accent is a scalar of its own.
    var decomposed: String.UnicodeScalarView {
        #if canImport(Darwin)
            decomposedStringWithCanonicalMapping.unicodeScalars
        #else
            String.UnicodeScalarView(_nfd)
        #endif
    }
}
