import Testing
import XCTest

@testable import Shop

final class CartTests: XCTestCase {
    override func setUp() { super.setUp() }
    func testAddsTheTax() throws { XCTAssertEqual(Cart().total(), 1) }
    func helper() {}
}

@Suite("Orders") struct OrderTests {
    @Test("pays once", .tags(.fast)) func paysOnce() async throws {
        #expect(Order().pay() == 1)
    }
}
