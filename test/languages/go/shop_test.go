package shop_test

import "testing"

func TestMain(m *testing.M) {}

func TestPrice(t *testing.T) {
	t.Run("none", func(t *testing.T) {
		t.Run("deeper", func(t *testing.T) { check(t) })
	})
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) { check(t) })
	}
	server.Run("no test", func() {})
}

func Testimony(t *testing.T) {}

func BenchmarkPrice(b *testing.B) { b.Run("one", func(b *testing.B) {}) }

func ExampleShop_Sell() {}

func FuzzPrice(f *testing.F) {}

type suite struct{}

func (suite) TestNothing(t *testing.T) {}

func check(t *testing.T) { t.Helper() }
