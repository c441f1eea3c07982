package broken

// Doc of it.
func Fine(a int) {
	use(a)
}

func Broken( {
	x := 
}

type Half struct {
	Name string
