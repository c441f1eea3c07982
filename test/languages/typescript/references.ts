import client, { config, Store, tag } from './deps';

const store = new Store<string>();
let counter = 0;

function run(callback: () => void, input = config.input) {
  callback();
  input.read();
  client.api.get('/x', ...input.list);
  client?.api!.post?.(input, 1);
  client['api'].get();
  client['quoted']();
  new client.Socket();
  make().then(callback).catch(report);
  (await make()).close();
  [1, 2].map(String);
  'text'.trim();
  tag`a ${config.name} b ${store.get('k')}`;
  counter += 1;
  counter++;
  config.value = counter;
  [counter, input] = [config.other, store];
  ({ counter, a: config.b } = input);
  const shadow = store;
  {
    const store = make();
    store.local();
  }
  items.forEach((item) => {
    item.use(store, config.deep.path);
    helper(item);
  });
  function helper(item: Item): Item {
    return item;
  }
  try {
    risky();
  } catch (error) {
    error.print();
  }
  for (const one of config.all) one.go();
  for (let i = 0, n = config.size; i < n; i++) i.toFixed();
  label: for (const key in store) continue label;
  return { store, key: config, run, [counter]: 1 } satisfies Result as Output;
}

function hoisted() {
  early();
  var early = function () {};
  return typeof store === 'object' ? <Store>store : import.meta.url;
}

// With type arguments behind `await` or `!` the grammar takes the operator for a part of what is called.
export async function generic(repository: Repository): Promise<boolean> {
  const saved = await repository.save<Entity>(helper());
  if (!isEmpty<Entity>(saved)) saved.load();
  return (await repository.query<Entity>('all')).has() && (helper as Function)(1);
}
new (Entity as any)();
