// Interprets one object-spatial case: its types, abilities, graph and program become archetypes, walkers and
// arrivals of Codewalk; nothing of the semantics is decided here.

const DEFAULTS = { int: 0, str: '', float: 0, bool: false, list: [], any: null };

/** A `runCase(case, profile)` over a build of Codewalk and a way to open an empty graph. */
export function caseRunner(codewalk, open) {
  return async (spec) => new Case(codewalk, spec).run(open);
}

class Case {
  constructor(codewalk, spec) {
    this.codewalk = codewalk;
    this.spec = spec;
    this.trace = [];
    this.reports = [];
    this.results = {};
    this.instances = new Map();
    this.nested = new Map();
    this.types = new Map([
      ['Root', codewalk.Root],
      ['GenericEdge', codewalk.GenericEdge],
    ]);
    this.walkers = new Map();
    this.nodes = new Map();
    this.edges = new Map();
    this.created = [];
    this.arrivals = [];
    this.defineTypes();
  }

  async run(open) {
    const graph = await open({ archetypes: [...this.types.values()], arrivals: this.arrivals, walkers: [] });
    let error = false;
    try {
      await graph.write(async (tx) => this.build(tx));
      await graph.write(async (tx) => {
        await this.reload(tx);
        const env = { tx, graph: tx, root: await tx.root(), vars: new Map() };
        try {
          await this.statements(this.spec.program, env);
        } catch (thrown) {
          if (process.env.OSP_DEBUG) console.error(thrown);
          error = true;
        }
        if (this.spec.dumpEdges) this.results._edges = await this.allEdges(env);
      });
    } finally {
      await graph.close();
    }
    const state = {};
    for (const [name, instance] of this.instances) state[name] = this.fieldsOf(instance);
    return { trace: this.trace, reports: this.reports, state, results: this.results, error };
  }

  // ---- types and abilities

  defineTypes() {
    const { z, defineNode, defineEdge, defineWalker, onArrival } = this.codewalk;
    const shape = (props = {}, label) =>
      Object.fromEntries([
        ...(label ? [['label', z.string().default('')]] : []),
        ...Object.entries(props).map(([field, type]) => {
          const fallback = typeof type === 'object' ? type.default : DEFAULTS[type];
          return [field, z.any().default(() => structuredClone(fallback))];
        }),
      ]);
    const { nodes = {}, edges = {}, walkers = {} } = this.spec.types;
    const inOrder = (table, define, known) => {
      const todo = Object.entries(table);
      while (todo.length > 0) {
        const [name, type] = todo.shift();
        const parents = [type.extends ?? []].flat();
        if (parents.some((parent) => !known.has(parent))) todo.push([name, type]);
        else
          known.set(
            name,
            define(
              name,
              type,
              parents.map((parent) => known.get(parent)),
            ),
          );
      }
    };
    inOrder(
      nodes,
      (name, type, parents) => defineNode(name, shape(type.props, true), { extends: parents }),
      this.types,
    );
    inOrder(
      edges,
      (name, type, parents) => defineEdge(name, shape(type.props, true), { extends: parents }),
      this.types,
    );
    const abilities = this.spec.abilities ?? {};
    inOrder(
      walkers,
      (name, type, parents) =>
        defineWalker(name, {
          access: 'write',
          extends: parents,
          input: shape(type.props, false),
          on: (w) =>
            (abilities[name] ?? []).map((ability) => {
              const run = (here, ctx) => this.ability(name, ability, here, ctx, ctx.state, name);
              const make = ability.event === 'entry' ? w.entry : w.exit;
              const options = { name: ability.name };
              if (ability.trigger === null) return make((ctx) => run(ctx.here, ctx), options);
              return make(
                [ability.trigger].flat().map((trigger) => this.types.get(trigger)),
                run,
                options,
              );
            }),
        }),
      this.walkers,
    );
    for (const [owner, list] of Object.entries(abilities)) {
      if (!this.types.has(owner)) continue;
      for (const ability of list) {
        const triggers =
          ability.trigger === null ? null : [ability.trigger].flat().map((name) => this.walkers.get(name));
        const run = (self, visitor, ctx) => this.ability(owner, ability, self, ctx, visitor.state);
        this.arrivals.push(
          onArrival(this.types.get(owner), ability.event, triggers, run, { name: ability.name }),
        );
      }
    }
  }

  async ability(owner, ability, here, ctx, walker) {
    this.trace.push(`${owner}.${ability.name}@${this.label(here)}`);
    await this.statements(ability.do, {
      ctx,
      graph: ctx,
      here,
      walker,
      root: await ctx.node('root'),
      vars: new Map(),
    });
  }

  label(location) {
    if (location.archetype.element === 'node')
      return location.archetype.name === 'Root' ? 'root' : location.label;
    return location.label || `${this.labelOfId(location.from)}>${this.labelOfId(location.to)}`;
  }

  labelOfId(id) {
    return id === 'root' ? 'root' : (this.labels?.get(id) ?? id);
  }

  // ---- the graph

  async build(tx) {
    this.labels = new Map();
    const root = await tx.root();
    const refs = new Map([['root', root]]);
    for (const { id, type, props } of this.spec.graph.nodes) {
      const ref = await tx.create(this.types.get(type)({ ...props, label: id }));
      refs.set(id, ref);
      this.created.push(ref.id);
      this.labels.set(ref.id, id);
    }
    for (const edge of this.spec.graph.edges ?? []) {
      const type = this.types.get(edge.type ?? 'GenericEdge');
      const draft =
        type === this.codewalk.GenericEdge ? type() : type({ ...edge.props, label: edge.id ?? '' });
      await tx.connect(refs.get(edge.from), refs.get(edge.to), draft, {
        undirected: edge.undirected ?? false,
      });
    }
    this.ids = new Map([...refs].map(([label, ref]) => [label, ref.id]));
  }

  async reload(tx) {
    for (const [label, id] of this.ids) this.nodes.set(label, await tx.node(id));
    for (const node of this.nodes.values()) {
      for (const edge of await tx.q(node).out().edges()) if (edge.label) this.edges.set(edge.label, edge);
    }
  }

  async allEdges({ graph, root }) {
    const rows = [];
    const seen = new Set();
    for (const node of [root, ...(await graph.nodes(this.created)).filter(Boolean)]) {
      for (const edge of await graph.q(node).out().edges()) {
        if (edge.from !== node.id || seen.has(edge)) continue;
        seen.add(edge);
        rows.push([this.labelOfId(edge.from), this.labelOfId(edge.to), edge.archetype.name]);
      }
    }
    return rows;
  }

  fieldsOf(instance) {
    return Object.fromEntries(
      Object.keys(instance.instanceOf.input.shape).map((field) => [field, instance.state[field]]),
    );
  }

  // ---- statements

  async statements(list, env) {
    for (const statement of list ?? []) await this.statement(statement, env);
  }

  async statement(s, env) {
    const { ctx, graph } = env;
    if ('visit' in s) {
      const went = await this.visit(s, env);
      if (!went && s.else) await this.statements(s.else, env);
    } else if ('report' in s) {
      const value = structuredClone(await this.value(s.report, env));
      this.reports.push(value);
      ctx?.report(value);
    } else if ('log' in s) this.trace.push(printed(await this.value(s.log, env)));
    else if ('skip' in s) ctx.skip();
    else if ('disengage' in s) ctx.disengage();
    else if ('set' in s) await this.assign(s.set[0], await this.value(s.set[1], env), env);
    else if ('append' in s) {
      const list = this.read(s.append[0], env) ?? [];
      await this.assign(s.append[0], [...list, await this.value(s.append[1], env)], env);
    } else if ('let' in s) {
      const [name, what] = s.let;
      const isTarget = typeof what === 'object' && what !== null && 'target' in what;
      env.vars.set(name, isTarget ? await this.target(what.target, env) : await this.value(what, env));
    } else if ('if' in s) await this.statements((await this.value(s.if, env)) ? s.then : s.else, env);
    else if ('forEach' in s) {
      const [name, target, body] = s.forEach;
      for (const item of await this.targets(target, env)) {
        env.vars.set(name, item);
        await this.statements(body, env);
      }
    } else if ('connect' in s) await this.connect(s.connect, env);
    else if ('disconnect' in s) await this.disconnect(s.disconnect, env);
    else if ('delete' in s) await graph.del(await this.targets(s.delete, env));
    else if ('result' in s) this.results[s.result[0]] = structuredClone(await this.value(s.result[1], env));
    else if ('spawn' in s) await this.spawn(s.spawn, env);
    else if ('raise' in s) throw new Error(s.raise);
    else if ('try' in s) {
      try {
        await this.statements(s.try, env);
      } catch (thrown) {
        if (!(thrown instanceof Error)) throw thrown;
        await this.statements(s.catch, env);
      }
    } else throw new Error(`unknown statement ${JSON.stringify(s)}`);
  }

  async visit({ visit: target, index }, env) {
    const options = index === undefined ? {} : { at: index };
    if (target?.refs)
      return env.ctx.visit((await this.path(target.refs, env, target.refs.edges)).path, options);
    return env.ctx.visit(await this.target(target, env), options);
  }

  /** `in` swaps the operands. */
  async connect({ from, to, edge, props, dir = 'out' }, env) {
    const sources = await this.targets(from, env);
    const targets = await this.targets(to, env);
    const type = this.types.get(edge ?? 'GenericEdge');
    const { id, ...fields } = await this.fields(props, env);
    const draft = type === this.codewalk.GenericEdge ? type() : type({ ...fields, label: id ?? '' });
    const [left, right] = dir === 'in' ? [targets, sources] : [sources, targets];
    await env.graph.connect(left, right, draft, { undirected: dir === 'any' });
    if (id === undefined) return;
    for (const source of left)
      for (const made of await env.graph.q(source).out(type, { label: id }).edges()) this.edges.set(id, made);
  }

  /** The values of an object of expressions. */
  async fields(expressions, env) {
    const values = {};
    for (const [field, e] of Object.entries(expressions ?? {})) values[field] = await this.value(e, env);
    return values;
  }

  async disconnect({ from, to, edge, where, dir = 'out' }, env) {
    return env.graph.disconnect(await this.targets(from, env), await this.targets(to, env), {
      direction: dir,
      ...(edge && { edge: this.types.get(edge) }),
      ...(where && { where: await this.where(where, env) }),
    });
  }

  async spawn({ walker, at, as, init }, env) {
    const fields = await this.fields(init, env);
    const known = env.ctx ? this.nested : this.instances;
    const what = walker ? this.walkers.get(walker) : (known.get(as) ?? this.instances.get(as));
    const instance = walker ? { instanceOf: what, state: what.initial(what.input.parse(fields)) } : what;
    if (as) known.set(as, instance);
    await (env.ctx ?? env.tx).spawn(instance, await this.target(at, env));
  }

  // ---- targets

  async targets(target, env) {
    return [await this.target(target, env)].flat().filter((item) => item !== undefined && item !== null);
  }

  async target(target, env) {
    if (target === 'here') return env.here;
    if (target === 'root') return env.root;
    if (target === 'walker') return env.walker;
    if (target.node) return target.node === 'root' ? env.root : this.nodes.get(target.node);
    if (target.edge) return this.edges.get(target.edge);
    if (target.var) return env.vars.get(target.var);
    if (target.field) return this.read(target.field, env);
    if (target.targets) {
      const list = [];
      for (const one of target.targets) list.push(...[await this.target(one, env)].flat());
      return list;
    }
    if (target.new) return this.make(target.new, env);
    if (target.refs) return await (await this.path(target.refs, env, target.refs.edges)).path;
    throw new Error(`unknown target ${JSON.stringify(target)}`);
  }

  async make({ type, props = {} }, env) {
    const { id: label = '', ...values } = await this.fields(props, env);
    const ref = await env.graph.create(this.types.get(type)({ ...values, label }));
    this.created.push(ref.id);
    this.labels.set(ref.id, label);
    if (label) this.nodes.set(label, ref);
    return ref;
  }

  /** The path expression of a `refs`, boxed: returning it bare from an async function would evaluate it. */
  async path({ from, hops }, env, edges) {
    const origin = from === undefined ? [env.here] : await this.targets(from, env);
    let path = env.graph.q(origin);
    for (const hop of hops) {
      path = path[hop.dir](
        hop.edge && this.types.get(hop.edge),
        hop.where && (await this.where(hop.where, env)),
      );
      if (hop.node) path = path.of(this.types.get(hop.node));
      if (hop.nodeWhere) path = path.where(await this.where(hop.nodeWhere, env));
    }
    return { path: edges ? path.edges() : path };
  }

  async where(list, env) {
    const ops = { '==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte', in: 'in' };
    const where = {};
    for (const [field, op, e] of list) {
      const name = field === 'id' ? 'label' : field;
      where[name] = { ...where[name], [ops[op]]: await this.value(e, env) };
    }
    return where;
  }

  // ---- paths to fields, and expressions

  read(path, env) {
    const [owner, ...fields] = path.split('.');
    let value = owner === 'here' ? env.here : owner === 'walker' ? env.walker : env.vars.get(owner);
    for (const field of fields) value = this.field(value, field);
    return value;
  }

  field(value, field) {
    if (field === 'id' && value?.archetype) return this.label(value);
    return value?.[field];
  }

  async assign(path, value, env) {
    const [owner, field] = path.split('.');
    if (owner === 'walker') env.walker[field] = value;
    else if (field === undefined) env.vars.set(owner, value);
    else {
      const ref = owner === 'here' ? env.here : env.vars.get(owner);
      env.graph.set(ref, { [field === 'id' ? 'label' : field]: value });
      if (field === 'id') this.labels.set(ref.id, value);
    }
  }

  async value(e, env) {
    if (typeof e !== 'object' || e === null) return e;
    if (Array.isArray(e)) return Promise.all(e.map((item) => this.value(item, env)));
    const [[op, arg]] = Object.entries(e);
    const both = async () => [await this.value(arg[0], env), await this.value(arg[1], env)];
    switch (op) {
      case 'get':
        return this.read(arg, env);
      case 'id':
        return this.label((await this.targets(arg, env))[0]);
      case 'ids':
        return (await this.targets(arg, env)).map((item) => this.label(item));
      case 'len':
        return (await this.targets(arg, env)).length;
      case 'kind':
        return (await this.targets(arg, env))[0]?.archetype.name ?? null;
      case 'props':
        return (await this.targets(arg[0], env)).map((item) => this.field(item, arg[1]));
      case 'list': {
        const items = [];
        for (const item of arg) items.push(await this.value(item, env));
        return items;
      }
      case 'has': {
        const list = this.read(arg[0], env) ?? [];
        return list.includes(await this.value(arg[1], env));
      }
      case 'not':
        return !(await this.value(arg, env));
      case 'and':
        for (const item of arg) if (!(await this.value(item, env))) return false;
        return true;
      case 'or':
        for (const item of arg) if (await this.value(item, env)) return true;
        return false;
      case 'disconnect':
        return this.disconnect(arg, env);
      default: {
        const compute = OPERATORS[op];
        if (!compute) throw new Error(`unknown expression ${JSON.stringify(e)}`);
        return compute(...(await both()));
      }
    }
  }
}

const OPERATORS = {
  add: (a, b) => (Array.isArray(a) ? [...a, ...b] : a + b),
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

/** A value as the recorded runtime prints it. */
function printed(value) {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}
