<?php
/** The types of a shop. */

declare(strict_types=1);

namespace App\Shop;

use App\Money\{Amount, Currency as Unit};
use Countable;
use function App\Text\plain;
use const App\Text\BLANK;

#[Table('carts')]
abstract class Cart extends Base implements Countable, \IteratorAggregate
{
    use Logs, Caches {
        Logs::write insteadof Caches;
        Caches::write as protected remember;
    }

    public const LIMIT = 10, LEAST = 1;
    /** What is in it. @var Item[] */
    private array $items = [];
    public static ?self $last = null;
    protected $prices;

    /** Opens a cart. */
    public function __construct(private readonly Amount $total, protected ?Unit $unit = null)
    {
        parent::__construct($total);
        $this->prices = new Prices($total);
    }

    abstract protected static function open(Item&Countable $item, Item|Box $other): static;

    /** @return Item[] */
    final public function getIterator(string ...$names): iterable
    {
        yield from $this->items;
    }
}

interface Named extends \Stringable, Countable
{
    const X = 'x';

    public function name(): string;
}

trait Logs
{
    private function write(string $text): void
    {
        self::note($text) && static::open($this);
    }
}

enum Suit: string implements Named
{
    case Hearts = 'H';
    case Spades = 'S';
    const WILD = self::Spades;

    public function name(): string
    {
        return match ($this) {
            self::Hearts => 'Red',
            default => plain(BLANK),
        };
    }
}

/**
 * @method static Cart make(int $size)
 * @property-read Amount $sum
 */
final class Box
{
    public string $label {
        get => $this->sum->text();
    }
}

function total(Cart $cart, int &$count = 0): ?Amount
{
    return $cart->total;
}

const RATE = 0.5;
define('SHOP', 'open');
