<html><?= $title ?>
<?php

namespace App;

use App\Model\{Order, User};

function run(User $user, ?Order $order = null, $any = [])
{
    $made = new User('a');
    $made->name();
    if ($any instanceof Order) {
        $any->pay();
    } elseif (!$order) {
        return;
    } else {
        $made = $order;
    }
    $made->total();
    foreach ($user->orders() as $key => $one) {
        $one?->pay($key)->done();
    }
    try {
        [$first, 'b' => $second] = pair();
    } catch (NotFound | \RuntimeException $e) {
        throw new Failed($e->getMessage(), previous: $e);
    } finally {
        \App\Util\close();
    }
    $later = fn (Order $it) => $it->pay();
    $all = array_map(function ($it) use ($user) {
        return $it->pay($user);
    }, $user->orders());
    $call = [$user, 'name'];
    $other = $user->name(...);
    $text = "for {$user->name()} and $order->id";
    User::find(1)->name();
    User::$count += User::LIMIT;
    $class = User::class;
    (new $class())->name();
    $user->$text();
    /** @var Order $typed */
    $typed = unknown();
    $typed->pay();
    $anonymous = new class ($user) extends Order implements \Countable {
        public function count(): int
        {
            return parent::count();
        }
    };
    static $cache = null;
    $cache ??= new User();
    while ($next = next($all)) {
        $next->pay();
    }
    switch ($user->kind()) {
        case User::ADMIN:
            $role = new Admin();
            break;
        default:
            $role = new Guest();
    }
    return $role->can() ? $later : clone $made;
}
?>
<p><?= helper($title) ?></p>
