/** A copy of a template in which a text stands for every `«text»`, in keys too, and its first line for `«line»`. */
export function filled<T>(template: T, text: string): T {
  const quoted = (part: string) => JSON.stringify(part).slice(1, -1);
  const parts: Readonly<Record<string, string>> = {
    '«text»': quoted(text),
    '«line»': quoted(text.split('\n', 1)[0] ?? ''),
  };
  return JSON.parse(JSON.stringify(template).replace(/«(?:text|line)»/gu, (name) => parts[name] ?? name));
}
