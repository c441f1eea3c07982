import Foundation
@testable import struct Shop.Cart

/// What can be drawn.
public protocol Shape: AnyObject {
    associatedtype Unit
    /// How large it is.
    var area: Double { get }
    func draw(on canvas: Canvas, scale: Double)
    init(side: Double)
}

extension Shape {
    func draw(on canvas: Canvas, scale: Double) {
        canvas.fill(area, by: scale)
    }
}

/// A square, and its parts.
public final class Square<T: Hashable>: Base, Shape where T: Comparable {
    public typealias Unit = Double
    @Clamped(0...1) private(set) var side: Double = 1
    static let unit = Square<Int>(side: 1)
    lazy var corners: [Corner] = []
    var area: Double { side * side }
    var kind: Kind = .plain {
        didSet { changed(from: oldValue) }
    }

    public required init(side: Double) {
        self.side = side
        super.init()
    }

    convenience init?(_ text: String) {
        self.init(side: 2)
    }

    deinit { changed(from: .plain) }

    subscript(index: Int) -> Corner {
        get { corners[index] }
        set { corners[index] = newValue }
    }

    fileprivate func changed(from old: Kind) {}

    class func make() -> Self { self.init(side: 3) }

    static func == (left: Square, right: Square) -> Bool { left.side == right.side }

    struct Corner {
        let x, y: Int
    }

    enum Kind: String, CaseIterable {
        case plain, striped = "s"
        indirect case both(Kind, with: Corner)
    }
}

extension Square.Corner: Equatable {
    func moved(by other: Square.Corner) -> Square.Corner {
        .init(x: x + other.x, y: y + other.y)
    }
}

open class Base {
    init() {}
}

actor Canvas {
    nonisolated(unsafe) var pixels: [String: [Int]] = [:]
    func fill(_ area: Double, by scale: Double = 1) {}
}

@propertyWrapper
struct Clamped {
    init(wrappedValue: Double, _ range: ClosedRange<Double>) {}
    var wrappedValue: Double { 1 }
}
