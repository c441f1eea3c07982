#[path = "elsewhere.rs"]
mod apart;
pub mod shapes;

extern crate serde as serialized;

pub use self::shapes::{area, round::{self, *}, Shape as Form};
use super::outer::helper;
use crate::apart::{run as start};
use std::io::Write as _;

/// Inside of the file.
pub mod inner {
    use super::helper;

    pub struct Hidden {
        pub(super) value: i32,
    }

    impl Hidden {
        pub fn show(&self) -> i32 {
            helper(self.value)
        }
    }

    pub mod deeper {
        mod file;

        pub fn deep() {
            super::super::area();
            crate::apart::run();
        }
    }
}

fn main() {
    use inner::deeper;
    deeper::deep();
    inner::Hidden { value: 1 }.show();
    start();
    round::up();
    std::mem::drop(helper);
}

extern "C" {
    fn external(number: i32) -> i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows() {
        assert!(area() > 0.0);
    }

    #[tokio::test]
    async fn waits() {
        helper(1).await;
    }

    fn no_test() {}
}
