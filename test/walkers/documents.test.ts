import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomEdit } from '../../bench/lib/random-edits.mjs';
import type { OpenGraph } from '../../index.js';
import { GraphUpdateFiles } from '../../walkers/code/graph-update-files.js';
import type { ReferencesOutput } from '../../walkers/query/query-references.js';
import { freshWholeText, wholeText } from './indexed-texts.js';
import { exported, index, indexed, indexedOnce, open, scratch, write } from './project.js';
import { asked } from './query/shops.js';

const PROTO = `syntax = "proto3";
package shop.v1;
import "money.proto";

// What somebody buys.
message Order {
  string id = 1;
  Money total = 2;
}

service Orders {
  rpc PlaceOrder(Order) returns (Order);
}
`;

/** One document of each kind, and three languages that name what they define. */
const SHOP = {
  'package.json': '{"name": "shop"}',
  'go.mod': 'module example.com/shop\n\ngo 1.22\n',
  'proto/shop.proto': PROTO,
  'proto/money.proto': 'syntax = "proto3";\npackage shop.v1;\nmessage Money { int64 cents = 1; }\n',
  'api/schema.graphql': '"Who buys."\ntype Customer {\n  id: ID!\n}\n',
  'api/openapi.yaml':
    'openapi: 3.0.0\npaths:\n  /invoices:\n    get:\n      operationId: listInvoices\n      summary: Lists them.\n',
  'db/schema.sql':
    'CREATE TABLE invoices (id int, total int);\nCREATE VIEW open_invoices AS SELECT id FROM invoices;\n',
  'src/client.ts': `import { Order } from './gen/shop_pb';
import type { Customer } from './gen/graphql';
import { api } from './gen/api';

export function place(client: any): Order {
  return client.PlaceOrder(new Order());
}

export function show(customer: Customer) {
  return api.listInvoices(customer.id);
}

export function rows(db: any, id: string) {
  return db.query(\`
    SELECT total FROM Invoices WHERE id = \${id}\`);
}
`,
  'server/main.go': `package main

import (
	"database/sql"

	pb "example.com/shop/gen/shopv1"
)

func made() *pb.Order {
	return &pb.Order{Id: "1"}
}

func place(client pb.OrdersClient) {
	client.PlaceOrder(nil, made())
}

func rows(db *sql.DB) {
	db.Query("SELECT id " +
		"FROM invoices")
}
`,
  'tools/run.py': `from gen import shop_pb2
from gen.models import Customer


def made():
    return shop_pb2.Order(id="1")


def place(stub, customer: Customer):
    return stub.PlaceOrder(made())


def rows(cursor):
    cursor.execute(
        """
        INSERT INTO invoices (id) VALUES (%s)
        """
    )
`,
};

const references = async (graph: OpenGraph, name: string) => {
  const { body } = await asked<ReferencesOutput>(graph, 'query_references', { name });
  return body.results.references.map(
    ({ path, line, kind, by_name }) => `${path}:${line} ${kind}${by_name ? ' by name' : ''}`,
  );
};
const named = async (graph: OpenGraph) =>
  (await exported(graph)).flatMap((one) =>
    one.kind === 'REFERENCES' && one.resolution === 'name' ? [`${one.from} ${one.to}`] : [],
  );

describe('what documents define', () => {
  const graph = indexedOnce(SHOP);

  test.each([
    [
      'shop.v1.Order',
      [
        'proto/shop.proto:12 type',
        'server/main.go:9 type by name',
        'server/main.go:10 type by name',
        'src/client.ts:5 type by name',
        'src/client.ts:6 read by name',
        'tools/run.py:6 read by name',
      ],
    ],
    [
      'PlaceOrder',
      ['server/main.go:14 read by name', 'src/client.ts:6 read by name', 'tools/run.py:10 read by name'],
    ],
    ['Customer', ['src/client.ts:9 type by name', 'tools/run.py:9 type by name']],
    [
      'invoices',
      [
        'db/schema.sql:2 read by name',
        'server/main.go:19 read by name',
        'src/client.ts:15 read by name',
        'tools/run.py:16 write by name',
      ],
    ],
    ['listInvoices', ['src/client.ts:10 read by name']],
    ['Money', ['proto/shop.proto:8 type']],
  ])('is found by its name: %s', async (name, expected) => {
    expect(await references(await graph(), name)).toEqual(expected);
  });

  test('is never called', async () => {
    const calls = (await exported(await graph())).filter(
      ({ kind }) => kind === 'CALLS' || kind === 'MAY_CALL',
    );
    expect(calls.filter(({ to }) => /\.(?:proto|graphql|sql|yaml):/.test(String(to)))).toEqual([]);
  });

  test('shows the code in impact and context', async () => {
    const { markdown } = await asked(await graph(), 'query_impact', { name: 'invoices' });
    for (const path of ['server/main.go', 'src/client.ts', 'tools/run.py']) expect(markdown).toContain(path);
    const { output } = await (await graph()).spawn('graph_context_for_files', null, {
      file_paths: ['db/schema.sql'],
    });
    expect(JSON.stringify(output)).toContain('src/client.ts');
  });

  test('is not what a name means that something else has, or several definitions', async () => {
    const { graph } = await indexed({
      'a.proto': 'message Twice {}\nmessage Once {}\n',
      'b.graphql': 'type Twice { id: ID }\ntype Query { once: Once }\n',
      'c.sql':
        'CREATE TABLE twice (id int);\nCREATE TABLE a.orders (id int);\nCREATE FUNCTION add() RETURNS int;\n',
      'd.sql': 'CREATE TABLE b.orders (id int);\n',
      'src/app.ts': `import { Twice } from './gen';
import { Once as Own } from './own';

export function local(Once: any, db: any, list: any) {
  Once();
  list.add(1);
  list.Once;
  new Twice();
  new Own();
  db.run('select an order from orders');
  // "SELECT 1 FROM twice"
  return db.run("SELECT 1 FROM a.orders");
}

export function bound() {
  const Query = 1;
  return Query;
}
`,
      'src/own.ts': 'export class Once {}\n',
    });
    expect(await named(graph)).toEqual([
      'fn:src/app.ts:local cls:c.sql:a.orders',
      'var:b.graphql:Query.once cls:a.proto:Once',
    ]);
  });
});

/** What edits make of a document: names that come, go, and are there twice. */
const DOCUMENTS: Readonly<Record<string, readonly (string | null)[]>> = {
  'proto/shop.proto': [
    PROTO,
    PROTO.replaceAll('PlaceOrder', 'PutOrder'),
    null,
    PROTO.replaceAll('Order', 'Customer'),
  ],
  'proto/money.proto': [null, 'message Money {}\n', 'message Order { Money a = 1; }\n'],
  'proto/other/money.proto': ['package shop.v1; message Money {}\n', null],
  'api/schema.graphql': ['type Order { id: ID }\n', null, 'type Customer { of: Order }\n'],
  'db/schema.sql': [null, 'CREATE TABLE db.invoices (id int);\n', 'CREATE TABLE orders (id int);\n'],
  'db/more.sql': ['CREATE TABLE invoices (id int);\n', null],
};

describe('documents', () => {
  test('that appear, change and go leave what a first index would', async () => {
    const root = write(SHOP);
    const graph = await open(root, scratch());
    await index(graph);
    const files = new Map<string, string>(Object.entries(SHOP));
    const gone = new Map<string, string>();
    const random = randomFrom(5);
    for (let step = 1; step <= 24; step++) {
      const [path, texts] = Object.entries(DOCUMENTS)[Math.floor(random() * 6)] ?? ['', []];
      const text = texts[Math.floor(random() * texts.length)] ?? null;
      const { changes } =
        step % 3 === 0 ? randomEdit(files, gone, random, step) : { changes: new Map([[path, text]]) };
      for (const [one, now] of changes) {
        if (now === null) rmSync(join(root, one), { force: true });
        else write({ [one]: now }, root);
        if (now !== null) files.set(one, now);
        else {
          gone.set(one, files.get(one) ?? '');
          files.delete(one);
        }
      }
      await graph.spawn(GraphUpdateFiles, null, { paths: [...changes.keys()] });
      if (step % 4 === 0)
        expect(await wholeText(graph)).toBe(await freshWholeText(Object.fromEntries(files)));
    }
  });
});

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
