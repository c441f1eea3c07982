/**
 * What a component is called that does not say so: after its file, `user-card.vue` and `UserCard.vue` alike; `index.vue`
 * after its folder. A name that is no word, `[id].vue`, stays as it is.
 */
export function componentName(path: string): string {
  const parts = path.split('/');
  const file = (parts.pop() ?? '').replace(/\.vue$/i, '');
  const name = /^index$/i.test(file) ? (parts.pop() ?? file) : file;
  if (!/^[\w-]+$/.test(name)) return name;
  return name.replace(/(?:^|(?<!-)-+)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
