<?php

namespace App\Controller;

use Illuminate\Support\Facades\Route as Facade;
use Symfony\Component\Routing\Attribute\Route;

#[Route('/shop', name: 'shop_')]
class ShopController
{
    #[Route('/{id}', name: 'show', methods: ['GET', 'HEAD'])]
    public function show(int $id): Response
    {
    }

    #[Route(path: '/all')]
    public function all(): Response
    {
    }
}

Facade::get('/users', [UserController::class, 'index']);
Facade::post('users/{id}', fn ($id) => $id);
Facade::prefix('admin')->group(function () {
    Facade::delete('users', [UserController::class, 'remove']);
});
