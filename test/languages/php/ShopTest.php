<?php

use PHPUnit\Framework\Attributes\Test;
use PHPUnit\Framework\TestCase;

final class ShopTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(1, (new Shop())->add());
    }

    #[Test]
    public function empty_at_first(): void
    {
        self::assertCount(0, new Shop());
    }

    public function helper(): void
    {
    }
}
