struct Order {
    enum State { case open, paid(by: Customer), failed(Error) }
    var state: State = .open
    var customer: Customer?
    let items: [Item]

    func total(in currency: Currency = .euro, rounding: (Double) -> Double) -> Double {
        let sum = items.map { $0.price }.reduce(0) { $0 + $1 }
        return rounding(sum)
    }

    mutating func pay(with card: Card?) throws -> State {
        guard let card, let owner = card.owner else { return .failed(Missing()) }
        if let customer = customer, customer.isKnown { customer.greet() } else if let customer { customer.ask() }
        switch state {
        case .open:
            state = .paid(by: owner)
        case let .paid(customer), .paid(by: let customer):
            customer.thank()
        case .failed(let error as Missing) where error.isFinal:
            error.report()
        default:
            break
        }
        for (index, item) in items.enumerated() where item.isLarge { item.ship(at: index) }
        while let next = card.next() { next.use() }
        do {
            try card.charge(total { value in value.rounded() })
        } catch let error as Declined {
            error.explain()
        } catch {
            print(error)
        }
        items.forEach { item in
            item.ship(at: 0)
        }
        run(after: 1) { [weak owner] in owner?.greet() } onError: { print($0) }
        let pair = (first: card, owner)
        let (left, right) = pair
        left.use()
        right.greet()
        let later: (Card) -> Void = { card in card.use() }
        later(card)
        return card.isValid ? .paid(by: owner) : .open
    }

    func run(after delay: Int, _ body: () -> Void, onError: (Error) -> Void) {}
}

infix operator <=>: ComparisonPrecedence
func <=> (left: Order, right: Order) -> Bool { true }

func compare(orders: Order..., by key: KeyPath<Order, Int>) -> Bool {
    let text = "sum: \(orders[0].items.count)"
    #if DEBUG
    print(text)
    #endif
    return orders[0] <=> orders[1]
}
