import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { isExport } from './api.js';
import { go, href } from './router.js';
import { visible } from './words.js';

/** A field of a filter: a choice where it has options. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly string[];
}

/** What narrows a list. It stands in the address, so that a narrowed list can be shared. */
export function Filter({
  view,
  query,
  fields,
}: {
  view: string;
  query: URLSearchParams;
  fields: readonly FilterField[];
}) {
  const values = useSignal<Readonly<Record<string, string>>>({});
  const id = useId();
  if (isExport) return null;
  const typedIn = (name: string) => values.value[name] ?? query.get(name) ?? '';
  const apply = (changed: Readonly<Record<string, string>> = {}) => {
    const all = fields.map(({ name }): [string, string] => [name, changed[name] ?? typedIn(name)]);
    values.value = {};
    go(href(view, [], Object.fromEntries(all)));
  };
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      {fields.map(({ name, label, options }) => {
        const shared = { id: `${id}-${name}`, name, value: typedIn(name) };
        return (
          <div key={name}>
            <label for={shared.id}>{label}</label>
            {options ? (
              <select {...shared} onChange={({ currentTarget }) => apply({ [name]: currentTarget.value })}>
                <option value="">any</option>
                {options.map((option) => (
                  <option key={option} value={option}>
                    {visible(option.replaceAll('_', ' '))}
                  </option>
                ))}
              </select>
            ) : (
              <input
                {...shared}
                type="text"
                onInput={({ currentTarget }) => {
                  values.value = { ...values.value, [name]: currentTarget.value };
                }}
              />
            )}
          </div>
        );
      })}
      <button type="submit">Filter</button>
    </form>
  );
}
