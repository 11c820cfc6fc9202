// What tests draw their random cases from stands in Sources, since `sooke bench` draws its requests from it too.
@_exported import struct Bytes.SplitMix64
