import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Schema } from './answers.js';
import { visible } from './words.js';

/** The values of a form's fields, as they were typed. */
export type Typed = Readonly<Record<string, string>>;

type FieldKind = 'text' | 'number' | 'yes-no' | 'choice' | 'lines' | 'json';

function optionsOf(schema: Schema): readonly unknown[] {
  return schema.enum ?? (schema.anyOf ?? []).flatMap((one) => (one.const === undefined ? [] : [one.const]));
}

function kindOf(schema: Schema): FieldKind {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  const [only] = types.length === 1 ? types : [];
  if (optionsOf(schema).length > 0) return 'choice';
  if (only === 'boolean') return 'yes-no';
  if (only === 'number' || only === 'integer') return 'number';
  if (only === 'array' && (schema.items?.type === 'string' || schema.items?.enum !== undefined))
    return 'lines';
  return only === 'string' ? 'text' : 'json';
}

/** What was typed as the input that a schema asks for; a text in its place: what is wrong. */
export function inputOf(schema: Schema, typed: Typed): Record<string, unknown> | string {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const text = typed[name] ?? '';
    if (text === '') continue;
    const kind = kindOf(field);
    if (kind === 'number') input[name] = Number(text);
    else if (kind === 'yes-no') input[name] = text === 'true';
    else if (kind === 'lines') input[name] = text.split('\n').filter((line) => line.trim() !== '');
    else if (kind === 'choice') input[name] = optionsOf(field).find((one) => String(one) === text) ?? text;
    else if (kind === 'text') input[name] = text;
    else
      try {
        input[name] = JSON.parse(text);
      } catch {
        return `${name} is not JSON: texts stand in quotes there, like "this".`;
      }
  }
  return input;
}

/** An input as it would be typed. */
export function typedOf(schema: Schema, input: Readonly<Record<string, unknown>>): Typed {
  const entries = Object.entries(input).map(([name, value]): [string, string] => {
    const kind = kindOf(schema.properties?.[name] ?? {});
    if (kind === 'json') return [name, JSON.stringify(value)];
    return [name, Array.isArray(value) ? value.join('\n') : String(value)];
  });
  return Object.fromEntries(entries);
}

/** A form for what a walker takes. */
export function SchemaForm({
  schema,
  typed,
  button,
  onRun,
}: {
  schema: Schema;
  typed: Typed;
  button: string;
  onRun: (input: Record<string, unknown>) => void;
}) {
  const values = useSignal(typed);
  const problem = useSignal('');
  const fields = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  // What must be given stands first; the order is otherwise the schema's.
  const sorted = [...fields].sort(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)));
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const input = inputOf(schema, values.value);
        problem.value = typeof input === 'string' ? input : '';
        if (typeof input !== 'string') onRun(input);
      }}
    >
      {sorted.map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          isRequired={required.includes(name) && field.default === undefined}
          value={values.value[name] ?? ''}
          onInput={(value) => {
            values.value = { ...values.value, [name]: value };
          }}
        />
      ))}
      {problem.value === '' ? null : <p role="alert">{problem.value}</p>}
      <button type="submit" class="primary">
        {button}
      </button>
    </form>
  );
}

function Field({
  name,
  schema,
  isRequired,
  value,
  onInput,
}: {
  name: string;
  schema: Schema;
  isRequired: boolean;
  value: string;
  onInput: (value: string) => void;
}) {
  const id = useId();
  const kind = kindOf(schema);
  const shared = {
    id,
    name,
    value,
    required: isRequired,
    'aria-describedby': `${id}-about`,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onInput(currentTarget.value),
  };
  const options = kind === 'yes-no' ? ['true', 'false'] : optionsOf(schema).map(String);
  const about = [
    isRequired ? 'Needed.' : '',
    schema.description ?? '',
    kind === 'lines' ? 'One a line.' : kind === 'json' ? 'As JSON.' : '',
    schema.default === undefined ? '' : `Else: ${JSON.stringify(schema.default)}.`,
  ];
  return (
    <div class="field">
      <label for={id}>{visible(name.replaceAll('_', ' '))}</label>
      {kind === 'choice' || kind === 'yes-no' ? (
        <select {...shared}>
          <option value="">{isRequired ? 'Choose…' : 'not given'}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {visible(kind === 'yes-no' ? (option === 'true' ? 'yes' : 'no') : option)}
            </option>
          ))}
        </select>
      ) : kind === 'lines' || kind === 'json' ? (
        <textarea {...shared} rows={2} spellcheck={false} />
      ) : kind === 'number' ? (
        <input {...shared} type="number" step="any" min={schema.minimum} max={schema.maximum} />
      ) : (
        <input {...shared} type="text" spellcheck={false} />
      )}
      <p id={`${id}-about`} class="muted">
        {visible(about.filter((part) => part !== '').join(' '))}
      </p>
    </div>
  );
}
