/// Sines, cosines and arcsines to the precision of `Double`, because this target imports no C library.
///
/// The functions are Taylor series in nested form, such as x(1 − x²/(2·3)(1 − x²/(4·5)(…))). Each ends where the next
/// term is below the precision of the result.
enum Trigonometry {
    /// The sine and the cosine of an angle in degrees; exact for multiples of 90.
    @inline(__always)
    static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
        let quadrant = (degrees * (1 / 90)).rounded()
        // Exact: the remainder has no more digits than the angle.
        let angle = (degrees - quadrant * 90) * (.pi / 180)
        let (sine, cosine) = (sine(angle), cosine(angle))
        return switch Int(quadrant) & 3 {
        case 0: (sine, cosine)
        case 1: (cosine, -sine)
        case 2: (-sine, -cosine)
        default: (-cosine, sine)
        }
    }

    /// The angle in radians, 0 to π/2, that has a sine from 0 to 1.
    static func arcsine(_ sine: Double) -> Double {
        // Near 1 the complement has the better precision.
        if sine > 0.5 { return .pi / 2 - 2 * arcsine(((1 - sine) / 2).squareRoot()) }
        let quarter = sineOfHalf(sineOfHalf(sine))
        var sum = 1.0
        for n in stride(from: 19.0, to: 0, by: -2) {
            sum = 1 + quarter * quarter * (n * n) / ((n + 1) * (n + 2)) * sum
        }
        return 4 * quarter * sum
    }

    /// The sine of half of an angle, 0 to π/2, with a sine.
    private static func sineOfHalf(_ sine: Double) -> Double {
        sine / (2 * (1 + (1 - sine * sine).squareRoot())).squareRoot()
    }

    /// The sine of an angle in radians, −π/4 to π/4.
    @inline(__always)
    private static func sine(_ angle: Double) -> Double {
        let square = angle * angle
        var sum = 1 - square * (1 / (16 * 17))
        sum = 1 - square * (1 / (14 * 15)) * sum
        sum = 1 - square * (1 / (12 * 13)) * sum
        sum = 1 - square * (1 / (10 * 11)) * sum
        sum = 1 - square * (1 / (8 * 9)) * sum
        sum = 1 - square * (1 / (6 * 7)) * sum
        sum = 1 - square * (1 / (4 * 5)) * sum
        sum = 1 - square * (1 / (2 * 3)) * sum
        return angle * sum
    }

    /// The cosine of an angle in radians, −π/4 to π/4.
    @inline(__always)
    private static func cosine(_ angle: Double) -> Double {
        let square = angle * angle
        var sum = 1 - square * (1 / (17 * 18))
        sum = 1 - square * (1 / (15 * 16)) * sum
        sum = 1 - square * (1 / (13 * 14)) * sum
        sum = 1 - square * (1 / (11 * 12)) * sum
        sum = 1 - square * (1 / (9 * 10)) * sum
        sum = 1 - square * (1 / (7 * 8)) * sum
        sum = 1 - square * (1 / (5 * 6)) * sum
        sum = 1 - square * (1 / (3 * 4)) * sum
        return 1 - square * (1 / 2) * sum
    }
}
