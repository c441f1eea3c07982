import { Db, open } from './db';

const shared = new Db('shared');
const opened = open();
let typed: Map<string, Db> = new Map();

class Repo {
  db: Db;
  cache = new Cache();
  pool = open();

  constructor(db: Db, spare = new Db()) {
    this.db = db;
    this.spare = spare;
    this.log = new Log();
    this.later = open(db);
  }

  find(id: string): Db | null {
    const local = new Db();
    const annotated: Query = local.query(id);
    const result = local.run(annotated);
    const awaited = await local.load();
    const cast = result as unknown as Row[];
    [1].forEach((n) => {
      const deep = new Deep(n);
      deep.go();
    });
    return cast[0] ?? awaited;
  }
}

function isDb(value: unknown): value is Db {
  return value instanceof Db;
}
function assertDb(value: unknown): asserts value is Db {}
