import { expect } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import type { Files } from '../project.js';

/** A small Python project: constructors written and not, inheritance, recursion, cycles, module-level calls. */
export const PYTHON: Files = {
  'src/auth/__init__.py': 'from .services import UserService\n',
  'src/auth/utils.py': `import hashlib
import os


def hash_password(text):
    return hashlib.sha256(text).hexdigest()


def validate_token(token):
    return hash_password(token) == os.environ.get("TOKEN")
`,
  'src/auth/services.py': `import requests

from .utils import hash_password, validate_token


class Base:
    def log(self, text):
        return text


class UserService(Base):
    def __init__(self, store):
        self.store = store

    @staticmethod
    def version():
        return 1

    def login(self, name):
        self.log(name)
        return validate_token(hash_password(name))


class Plain(Base):
    pass


def make():
    plain = Plain()
    plain.log("made")
    return UserService(plain)


def countdown(n):
    return countdown(n - 1) if n else 0


def ping(n):
    return pong(n)


def pong(n):
    from . import utils

    return ping(utils.hash_password(n))
`,
  'src/app.py': `from auth.services import UserService, make, ping

make()
ping(1)


def start(box):
    box.login("who knows")
    return UserService(None).login("root")


def main():
    start(None)
`,
};

/** The same in TypeScript, with what only it has: names in two files, in another case, files in folders. */
export const TYPESCRIPT: Files = {
  'package.json': '{"name": "shop", "version": "1.0.0"}\n',
  'src/money.ts': `export class Money {
  constructor(readonly cents: number) {}
  plus(other: Money): Money {
    return new Money(this.cents + other.cents);
  }
}

export class Coin extends Money {
  flip(): Money {
    return this.plus(this);
  }
}

export class Purse {
  open(): number {
    return 1;
  }
}

export function format(money: Money): string {
  return String(money.cents);
}
`,
  'src/cart/index.ts': `import { readFileSync } from 'node:fs';
import chalk from 'chalk';
import { Coin, format, Money, Purse } from '../money.js';

export function total(): Money {
  const purse = new Purse();
  purse.open();
  return new Coin(1).plus(new Money(2));
}

export function render(): string {
  return chalk.bold(format(total()));
}

function even(n: number): boolean {
  return n === 0 || odd(n - 1);
}

function odd(n: number): boolean {
  return n !== 0 && even(n - 1);
}

export const load = (path: string) => format(JSON.parse(readFileSync(path, 'utf8')));

render();
even(2);
`,
  'src/print.ts': `import { render } from './cart';

export function format(): string {
  return render();
}

export function print(printer): void {
  printer.plus(format());
}
`,
};

/** What is hard to follow: diamonds, circles of classes, imports and calls, stars behind stars, names that hide others. */
export const TANGLED: Files = {
  'knot/__init__.py': 'from .base import *\nfrom .more import Left as Linke, _quiet\nfrom . import base\n',
  'knot/base.py': `from .more import *


class Root(Exception):
    pass


class Left(Root):
    pass


class Right(Root):
    pass


class Both(Left, Right):
    pass


class A(C):
    pass


class B(A):
    pass


class C(B, Both):
    pass
`,
  'knot/more.py':
    "from .base import *\n__all__ = ['Left', 'loop']\nclass Left: pass\ndef _quiet(): pass\ndef loop(n): return loop(n - 1)\n",
  'src/index.ts':
    "export * from './one.js';\nexport * from './two.js';\nexport * as all from './two.js';\nexport { default as One, twin as only } from './one.js';\nexport * from 'zod';\nexport interface Named {}\n",
  'src/one.ts':
    "export * from './index.js';\nimport { Two } from './two.js';\nexport default class One extends Two implements Shape {}\nexport function twin() { return other(); }\nfunction other() { return twin(); }\nexport interface Shape {}\n",
  'src/two.ts':
    "import type One from './one.js';\nexport class Two implements Named { one?: One; }\nexport function twin() {}\nexport interface Named {}\nexport { twin as zwilling };\n",
};

/** Routes whose handlers are decorated, named and wrapped. */
export const ROUTES: Files = {
  'deps.py': 'def load():\n    pass\n\n\ndef who():\n    pass\n',
  'main.py': `from fastapi import Depends, FastAPI
from deps import load, who
app = FastAPI()

@app.get("/items/")
def read_items(user=Depends(who)):
    return load()
`,
  'app.js': `const express = require('express');
const { list, guard, wrap } = require('./handlers.js');
const app = express();
app.get('/list', guard, list);
app.post('/list', wrap(list), function made() { list(); });
`,
  'handlers.js':
    'exports.list = function list() { guard(); };\nfunction guard() {}\nexports.guard = guard;\nexports.wrap = function wrap(one) { return one; };\n',
};

/** What a walker answers: its body and Markdown. */
export async function asked<B = Record<string, never>>(
  graph: OpenGraph,
  walker: string,
  input: Record<string, unknown>,
): Promise<{ body: B & { state: { cut: string[]; unresolved: number | null } }; markdown: string }> {
  const { body, markdown } = await answer(graph, walker, input);
  return { body: body as never, markdown };
}

/** The six figures that every structural answer has, where all rows are shown. */
export function figures(rows: number, max_depth: number | null) {
  return {
    row_count: rows,
    total_count: rows,
    truncated: false,
    execution_time_ms: expect.any(Number),
    max_depth,
    query_type: 'structural',
  };
}
