use std::rc::Rc;

static GREETING: &str = "hello";
const LIMITS: [usize; 2] = [1, 2];

struct Point {
    x: i32,
    y: i32,
}

impl Point {
    fn moved(&self, by: (i32, i32)) -> Point {
        let (dx, dy) = by;
        Point { x: self.x + dx, y: self.y + dy }
    }
}

fn origin() -> Result<Point, String> {
    Ok(Point { x: 0, y: 0 })
}

fn patterns(points: &[Point], any: Option<Point>) -> Option<i32> {
    let Some(first) = points.first() else { return None };
    if let Some(Point { x, y: below @ 0..=9 }) = any && x > below {
        return Some(x);
    }
    for (at, Point { x, .. }) in points.iter().enumerate() {
        println!("{at} {}", first.moved((*x, at as i32)).x);
    }
    while let [head, .., tail] = points {
        head.moved((tail.x, 1));
        break;
    }
    let shared = Rc::new(origin().unwrap());
    let sum = points.iter().map(|p| p.moved((1, 1)).x).filter(|x: &i32| *x > 0).sum::<i32>();
    let chosen = match sum {
        0 => origin().ok()?,
        n if n > 3 => shared.moved((n, n)),
        _ => {
            let mut made = origin().unwrap();
            made.x += 1;
            made
        }
    };
    Some(chosen.moved((GREETING.len() as i32, LIMITS[1..].len() as i32)).y)
}

fn apply<F>(f: F, twice: impl Fn(Point) -> Point) -> Point
where
    F: FnOnce() -> Point,
{
    let inner = |p: Point| twice(p);
    inner(f())
}

fn macros(point: &Point) {
    assert_eq!(point.moved((1, 2)).x, 3, "moved {}", origin().is_ok());
    let all = vec![origin().unwrap(), Point { x: 1, y: 2 }];
    all[0].moved((0, 0));
    check!(point, |p: Point, _n| { p.moved((1, 1)); let q = origin(); q.unwrap().moved((2, 2)); });
    macro_rules! check {
        ($p:expr) => { $p.moved((1, 1)) };
    }
}
