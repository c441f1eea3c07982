import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Answer, Failure, MapAnswer, MapBox } from '../answers.js';
import { askWalker, failureOf, isFixed } from '../api.js';
import { Cuts, Empty, Link, PartOf, Scrolls, Section, Title, Trouble } from '../parts.js';
import { type Arrow, type Box, Picture, thickest } from '../picture.js';
import { fileHref, href, type Place } from '../router.js';
import { changes, whileBusy } from '../session.js';
import { counts, pathInId, plural, visible } from '../words.js';

/** Boxes of one picture: more of them cannot be read. */
const MOST_BOXES = 200;
const COLOURS = ['changes', 'failures', 'memories'] as const;
type Colour = (typeof COLOURS)[number];
/** What a count of the chosen thing is called. */
const NOUNS: Readonly<Record<Colour, readonly [string, string]>> = {
  changes: ['change', 'changes'],
  failures: ['failure', 'failures'],
  memories: ['memory', 'memories'],
};

/** Folders and files in layers of dependency. */
export function MapView({ answer, place }: { answer: Answer; place: Place }) {
  return (
    <PartOf<MapAnswer> part={answer.parts.map}>
      {(body) => <MapOf body={body} folder={place.names.join('/')} key={place.path} />}
    </PartOf>
  );
}

function MapOf({ body, folder: asked }: { body: MapAnswer; folder: string }) {
  const { folder, boxes, arrows, arrows_total, cycles, left_out } = body;
  const colour = useSignal<Colour>('changes');
  const opened = useSignal<Readonly<Record<string, MapAnswer>>>({});
  const failure = useSignal<Failure | null>(null);
  // Opened folders follow what changes, as all else does.
  const changed = changes.value;
  useEffect(() => {
    if (changed === 0) return;
    const open = Object.entries(opened.peek());
    void Promise.all(open.map(async ([id, { folder }]) => [id, await mapOf(folder)] as const)).then(
      (entries) => {
        opened.value = Object.fromEntries(entries);
      },
      () => {},
    );
  }, [changed, opened]);
  const onOpen = async (id: string) => {
    if (opened.value[id]) {
      const { [id]: _, ...rest } = opened.value;
      opened.value = rest;
      return;
    }
    const path = boxOf(body, opened.value, id)?.path;
    if (path === undefined) return;
    try {
      const inner = await whileBusy(() => mapOf(path));
      // Others may have been opened meanwhile.
      if (countIn(body, opened.peek()) + inner.boxes.length > MOST_BOXES)
        throw new Error(
          `With ${path} there would be more than ${MOST_BOXES} boxes: open it as a page of its own.`,
        );
      opened.value = { ...opened.peek(), [id]: inner };
      failure.value = null;
    } catch (thrown) {
      failure.value = failureOf(thrown);
    }
  };
  const drawn = useMemo(() => {
    const most = Math.max(1, ...boxes.map((box) => box[colour.value]));
    return {
      boxes: boxes.map((box) => boxFor(box, opened.value, colour.value, most)),
      arrows: arrowsFor(arrows),
    };
  }, [boxes, arrows, opened.value, colour.value]);
  const name = folder === '' || folder === '.' ? 'the project' : folder;
  return (
    <>
      <Title above={<Parents body={body} />}>Map of {visible(name)}</Title>
      <p class="muted">
        {plural(boxes.length, 'box', 'boxes')},{' '}
        {drawn.arrows.length < arrows_total ? `the thickest ${drawn.arrows.length} of ` : ''}
        {plural(arrows_total, 'arrow')}
        {asked === '' && folder !== '' ? '; the smallest folder that holds all code' : ''}. An arrow leads
        from what uses to what is used; what tests use is left out.{' '}
        {left_out > 0 ? `${plural(left_out, 'box', 'boxes')} with the fewest connections are left out.` : ''}
      </p>
      {boxes.length === 0 ? (
        <Empty>
          No code is in the graph here. <code>codewalk index</code> reads the project.
        </Empty>
      ) : (
        <>
          <fieldset class="choice">
            <legend>Colour by</legend>
            {COLOURS.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="colour"
                  value={one}
                  checked={colour.value === one}
                  onChange={() => {
                    colour.value = one;
                  }}
                />{' '}
                {one}
              </label>
            ))}
          </fieldset>
          {failure.value === null ? null : <Trouble failure={failure.value} />}
          <Picture
            name={`Map of ${visible(name)}`}
            boxes={drawn.boxes}
            arrows={drawn.arrows}
            {...(isFixed ? {} : { onOpen: (id: string) => void onOpen(id) })}
          />
          <Cycles cycles={cycles} boxes={boxes} />
          <Section title="As a table" count={boxes.length}>
            <Table body={body} />
          </Section>
        </>
      )}
      <Cuts of={body} />
    </>
  );
}

const mapOf = (folder: string) => askWalker<MapAnswer>('explore_map', { folder });

function Parents({ body: { parents } }: { body: MapAnswer }) {
  return (
    <>
      <Link to={href('map')}>Map</Link>
      {parents.map(({ path, name }) =>
        path === '' ? null : (
          <span key={path}>
            {' / '}
            <Link to={href('map', path.split('/'))}>{visible(name)}</Link>
          </span>
        ),
      )}
    </>
  );
}

function countIn(body: MapAnswer, opened: Readonly<Record<string, MapAnswer>>): number {
  return Object.values(opened).reduce((sum, { boxes }) => sum + boxes.length, body.boxes.length);
}

function boxOf(body: MapAnswer, opened: Readonly<Record<string, MapAnswer>>, id: string): MapBox | undefined {
  return [body, ...Object.values(opened)].flatMap(({ boxes }) => boxes).find((box) => box.id === id);
}

function boxFor(box: MapBox, opened: Readonly<Record<string, MapAnswer>>, colour: Colour, most: number): Box {
  const inner = opened[box.id];
  const amount = box[colour];
  const [one, many] = NOUNS[colour];
  // Five shades: more of them look the same.
  const shade = amount === 0 ? 0 : Math.ceil((4 * amount) / most);
  return {
    id: box.id,
    title: box.name,
    note: `${plural(amount, one, many)}${box.cycle === null ? '' : `, cycle ${box.cycle + 1}`}`,
    look: `shade-${Math.min(4, shade)} by-${colour}${box.cycle === null ? '' : ' in-cycle'}`,
    to: boxHref(box),
    opens: box.opens,
    inner: inner && {
      boxes: inner.boxes.map((one) => boxFor(one, opened, colour, most)),
      arrows: arrowsFor(inner.arrows),
    },
  };
}

function boxHref({ kind, path }: MapBox): string {
  return kind === 'file' ? fileHref(path) : href('map', path.split('/'));
}

function arrowsFor(arrows: MapAnswer['arrows']): readonly Arrow[] {
  return thickest(
    arrows.map(({ from, to, imports, calls }) => ({
      from,
      to,
      title: counts([imports, 'import'], [calls, 'call']),
      look: '',
      weight: imports + calls,
    })),
  );
}

function Cycles({ cycles, boxes }: { cycles: MapAnswer['cycles']; boxes: readonly MapBox[] }) {
  const names = new Map(boxes.map(({ id, name }) => [id, name]));
  if (cycles.length === 0) return <p class="muted">No cycle of dependencies: arrows lead one way.</p>;
  return (
    <Section title="Cycles of dependencies" count={cycles.length}>
      <p class="muted">Their boxes have a dashed border, and the number of the cycle.</p>
      <ol>
        {cycles.map((ids, at) =>
          // Boxes that are left out may be all of a cycle; the numbers stay those in the boxes.
          ids.length === 0 ? null : (
            <li key={ids.join(' ')} value={at + 1}>
              {ids.map((id) => visible(names.get(id) ?? pathInId(id) ?? id)).join(' ⇄ ')}
            </li>
          ),
        )}
      </ol>
    </Section>
  );
}

/** The same as the picture, for those who read tables. */
function Table({ body: { boxes, arrows } }: { body: MapAnswer }) {
  const names = new Map(boxes.map(({ id, name }) => [id, name]));
  const uses = Map.groupBy(arrows, ({ from }) => from);
  return (
    <Scrolls label="Boxes of the map">
      <table>
        <thead>
          <tr>
            {['Name', 'Kind', 'Files', 'Symbols', 'Changes', 'Failures', 'Memories', 'Cycle', 'Uses'].map(
              (title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {boxes.map((box) => (
            <tr key={box.id}>
              <th scope="row">
                <Link to={boxHref(box)}>{visible(box.name)}</Link>
              </th>
              <td>{box.kind}</td>
              <td>{box.files}</td>
              <td>{box.symbols}</td>
              <td>{box.changes}</td>
              <td>{box.failures}</td>
              <td>{box.memories}</td>
              <td>{box.cycle === null ? 'none' : box.cycle + 1}</td>
              <td>
                {(uses.get(box.id) ?? []).map(({ to }) => visible(names.get(to) ?? to)).join(', ') ||
                  'nothing here'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}
