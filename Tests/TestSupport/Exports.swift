// What tests draw their random cases from is in Sources, since request IDs are drawn with it too.
@_exported import struct Bytes.SplitMix64
