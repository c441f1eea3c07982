package shop

import "errors"

func values(in any, ch chan Kind, m map[string]*Shop[int]) error {
	switch v := in.(type) {
	case *Shop[int]:
		v.Sell("a", 1)
	case Kind, Names:
		use(v)
	case nil:
	default:
		use(v)
	}
	seller, ok := in.(Seller)
	shop, found := m["a"]
	kind := <-ch
	select {
	case got, open := <-ch:
		use(got, open)
	case ch <- Small:
	default:
		use(seller, ok, shop, found, kind)
	}
	if err := shop.Close(); err != nil && !errors.Is(err, nil) {
		return err
	} else if two := 2; two > 1 {
		use(two)
	}
	sell := shop.Sell
	method := (*Shop[int]).Sell
	sell("b", 1)
	method(shop, "c", 2)
	handlers := []func(){local, func() {}}
	handlers[0]()
	pointer := new(Kind)
	*pointer = Kind(3)
	bytes := []byte("text")
	shop.Lines[0].At, bytes[0] = 1, 2
	part := bytes[1:len(bytes)]
	use(&kind, -1, 'x', 1.5, 2i, true, `raw`, part...)
	(local)()
	build().with(1).done()
	return nil
}
