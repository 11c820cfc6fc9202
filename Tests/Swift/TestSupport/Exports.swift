// The random generator of the tests is in Sources, since request IDs use it too.
@_exported import struct Bytes.SplitMix64
