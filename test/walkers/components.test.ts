import { beforeAll, describe, expect, test } from 'vitest';
import { labelsOf } from '../../schema/index.js';
import { exportText, freshExport, freshLook, index, indexed, type Look, write } from './project.js';

describe('a React component', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'package.json': '{"name": "shop"}',
      'src/card.tsx': `import { Component, forwardRef, memo } from 'react';
export function Card() { return <b />; }
export const Field = forwardRef((props, ref) => <input ref={ref} />);
export const Kept = memo(Card);
export class Boundary extends Component { render() { return null; } }
export function price() { return 1; }
export default memo(Boundary);
`,
      'src/page.tsx': `import Guard, { Card, Field, Kept } from './card';
export const Page = () => <Guard><Card /><Field /><Kept /></Guard>;
`,
    });
  });

  test('is of the kind component, whose id and callable_kind say what it is made of', () => {
    const made = graph.nodes
      .filter(({ kind }) => kind === 'component')
      .map(({ id, callable_kind }) => [id, callable_kind]);
    expect(made).toEqual([
      ['cls:src/card.tsx:Boundary', 'class'],
      ['fn:src/card.tsx:Card', 'function'],
      ['fn:src/card.tsx:Field', 'function'],
      ['fn:src/page.tsx:Page', 'function'],
      ['var:src/card.tsx:Kept', 'function'],
    ]);
    expect(graph.node('fn:src/card.tsx:price')).toMatchObject({ kind: 'function' });
  });

  test('has the labels of both, so that who asks for functions and classes finds it', () => {
    const props = { callable_kind: 'function', subkind: null };
    expect(labelsOf({ type: 'Component', props })).toEqual(['Symbol', 'Component', 'Function']);
  });

  test('is called by what renders it, through what it is wrapped in', () => {
    const page = 'fn:src/page.tsx:Page';
    expect(graph.edge('CALLS', page, 'cls:src/card.tsx:Boundary')).toMatchObject({ line: 2 });
    expect(graph.edge('CALLS', page, 'fn:src/card.tsx:Card')).toMatchObject({ resolution: 'import' });
    expect(graph.edge('CALLS', page, 'fn:src/card.tsx:Field')).toMatchObject({ line: 2 });
    expect(graph.edge('CALLS', page, 'var:src/card.tsx:Kept')).toMatchObject({ line: 2 });
  });
});

test('a variable that begins or ceases to be a component is rendered or used by others as after a first index', async () => {
  const page =
    "import { Kept } from './card';\nexport const Page = () => <Kept />;\nexport const Two = () => <Page />;\n";
  const component = { 'card.tsx': "import { memo } from 'react';\nexport const Kept = memo(() => <b />);\n" };
  const variable = { 'card.tsx': 'export const Kept = { a: 1 };\n' };
  for (const [before, after] of [
    [component, variable],
    [variable, component],
  ] as const) {
    const { root, graph } = await indexed({ 'page.tsx': page, ...before });
    write(after, root);
    await index(graph);
    expect(await exportText(graph)).toBe(await freshExport({ 'page.tsx': page, ...after }));
  }
});

describe('a Vue component', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'package.json': '{"name": "shop"}',
      'src/users.ts':
        'export interface User { name: string }\nexport function format(name: string) { return name; }\n',
      'src/UserCard.vue': `<script setup lang="ts">
import { format, type User } from './users';
import Avatar from './avatar.vue';
defineProps<{ user: User }>();
function save() { format('a'); }
save();
</script>

<template>
  <Avatar @click="save()" />
  <user-name>{{ format(user.name) }}</user-name>
</template>
`,
      'src/avatar.vue':
        '<template>\n  <img :src="picture()">\n</template>\n<script>\nexport default { methods: { picture() {} } };\n</script>\n',
      'src/list.vue': `<template><user-card v-for="one in users" :user="one" @open="open" /></template>
<script>
import UserCard from './UserCard';
export default {
  components: { UserCard },
  methods: { open() { this.close(); }, close() {} },
};
</script>
`,
      'src/main.ts': `import { createApp } from 'vue';
import List from './list.vue';
createApp(List);
`,
    });
  });

  test('is a file: its span is the file, its name comes from it, its module keeps the ending', () => {
    expect(graph.ids('component')).toEqual([
      'cls:src/avatar.vue:Avatar',
      'cls:src/list.vue:List',
      'fn:src/UserCard.vue:UserCard',
    ]);
    expect(graph.node('fn:src/UserCard.vue:UserCard')).toMatchObject({
      qualified_name: 'shop/UserCard.vue.UserCard',
      callable_kind: 'function',
      language: 'vue',
      start_line: 1,
      end_line: 12,
      exported: true,
      exported_as: ['default'],
    });
    expect(graph.node('file:src/UserCard.vue')).toMatchObject({
      qualified_name: 'shop/UserCard.vue',
      extracted: true,
      syntax_errors: [],
    });
  });

  test('does what its setup and its template do, at the lines where they say so', () => {
    const card = 'fn:src/UserCard.vue:UserCard';
    expect(graph.edge('CALLS', card, 'fn:src/UserCard.vue:save')?.evidence).toEqual([
      { line: 6, expression: 'save()' },
      { line: 10, expression: 'save()' },
    ]);
    expect(graph.edge('CALLS', card, 'fn:src/users.ts:format')).toMatchObject({ line: 11 });
    expect(graph.edge('CALLS', card, 'cls:src/avatar.vue:Avatar')).toMatchObject({ line: 10 });
    expect(graph.edge('CALLS', 'fn:src/UserCard.vue:save', 'fn:src/users.ts:format')).toMatchObject({
      line: 5,
    });
  });

  test('of options has methods, which its template names', () => {
    const list = 'cls:src/list.vue:List';
    expect(graph.node('m:src/list.vue:List.open')).toMatchObject({
      kind: 'method',
      class_name: 'shop/list.vue.List',
      start_line: 6,
    });
    expect(graph.edge('REFERENCES', list, 'm:src/list.vue:List.open')).toMatchObject({
      access: 'pass',
      line: 1,
    });
    expect(graph.edge('CALLS', 'm:src/list.vue:List.open', 'm:src/list.vue:List.close')).toMatchObject({
      line: 6,
    });
    expect(graph.edge('CALLS', list, 'fn:src/UserCard.vue:UserCard')).toMatchObject({ line: 1 });
    expect(graph.edge('CALLS', 'cls:src/avatar.vue:Avatar', 'm:src/avatar.vue:Avatar.picture')).toMatchObject(
      {
        line: 2,
      },
    );
  });

  test('is what an import of its file means; an element that nothing imports or registers leads nowhere', () => {
    expect(graph.edge('REFERENCES', 'file:src/main.ts', 'cls:src/list.vue:List')).toMatchObject({ line: 3 });
    expect(graph.edge('IMPORTS', 'file:src/main.ts', 'file:src/list.vue')).toBeDefined();
    const stubs = graph.ids('unresolved').filter((id) => /user-?name/i.test(String(id)));
    expect(stubs).toEqual([]);
  });
});
