import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Scrolls } from './parts.js';
import { visible } from './words.js';

/** Characters that fit into a box. */
const FITS = 24;
/** Pixels of a picture's dots: more of them let a printed one be sharp. */
const DENSITY = 2;

/** A box of a picture. */
export interface Box {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** The form of its border, and its colour; what they mean is said in the note, too. */
  readonly look: string;
  readonly to: string | null;
  /** What stands in it, when it is open. */
  readonly inner?: { readonly boxes: readonly Box[]; readonly arrows: readonly Arrow[] } | undefined;
  /** Whether it can be opened in its place. */
  readonly opens: boolean;
}

/** An arrow between two boxes. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly title: string;
  readonly look: string;
  /** How much it stands for: where there are too many, the thickest are drawn. */
  readonly weight: number;
}

/** Arrows of one picture: with more of them its layers take seconds, and no line can be followed. */
const MOST_ARROWS = 300;

/** The arrows that a picture can show; of equal ones the first. */
export function thickest(arrows: readonly Arrow[]): readonly Arrow[] {
  return arrows.length <= MOST_ARROWS
    ? arrows
    : arrows.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_ARROWS);
}

/** A box in its place, from the upper left corner of what holds it. */
export interface Drawn {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly inner: (Layout & { readonly x: number; readonly y: number }) | null;
}

/** Boxes and arrows in their places. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Drawn[];
  readonly arrows: readonly {
    readonly arrow: Arrow;
    readonly points: readonly (readonly [number, number])[];
  }[];
}

/** Boxes in layers, joined by arrows: one picture that can be taken along. */
export function Picture({
  name,
  boxes,
  arrows,
  onOpen,
}: {
  name: string;
  boxes: readonly Box[];
  arrows: readonly Arrow[];
  onOpen?: (id: string) => void;
}) {
  const layout = useSignal<Layout | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void import('./layers.js').then(({ inLayers }) => {
      if (isCurrent) layout.value = inLayers(boxes, arrows);
    });
    return () => {
      isCurrent = false;
    };
  }, [boxes, arrows, layout]);
  if (layout.value === null) return <p class="muted">Drawing…</p>;
  const { width, height } = layout.value;
  const named = { role: 'group', 'aria-label': name } as const;
  const file = name.replaceAll(/[^\w.-]+/gu, '-');
  return (
    <figure class="picture">
      <Scrolls label={name}>
        <svg
          ref={svg}
          xmlns="http://www.w3.org/2000/svg"
          width={width + 24}
          height={height + 24}
          viewBox={`-12 -12 ${width + 24} ${height + 24}`}
          {...named}
        >
          <title>{name}</title>
          <defs>
            <marker
              id="tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" class="tip" />
            </marker>
          </defs>
          <Level layout={layout.value} onOpen={onOpen} />
        </svg>
      </Scrolls>
      <figcaption class="buttons">
        <button
          type="button"
          onClick={() => svg.current && save(svgText(svg.current), 'image/svg+xml', `${file}.svg`)}
        >
          Save as SVG
        </button>
        <button type="button" onClick={() => svg.current && void savePng(svg.current, `${file}.png`)}>
          Save as PNG
        </button>
      </figcaption>
    </figure>
  );
}

function Level({ layout, onOpen }: { layout: Layout; onOpen: ((id: string) => void) | undefined }) {
  return (
    <>
      {layout.arrows.map(({ arrow, points }, at) => (
        <path
          key={`${arrow.from} ${arrow.to} ${at}`}
          d={curve(points)}
          class={`arrow ${arrow.look}`}
          marker-end="url(#tip)"
        >
          <title>{arrow.title}</title>
        </path>
      ))}
      {layout.boxes.map((drawn) => (
        <BoxOf key={drawn.box.id} drawn={drawn} onOpen={onOpen} />
      ))}
    </>
  );
}

function BoxOf({ drawn, onOpen }: { drawn: Drawn; onOpen: ((id: string) => void) | undefined }) {
  const { box, x, y, width, height, inner } = drawn;
  const text = (
    <>
      <text x={12} y={22} class="box-title">
        {short(visible(box.title))}
      </text>
      {inner === null ? (
        <text x={12} y={42} class="box-note">
          {short(visible(box.note), 32)}
        </text>
      ) : null}
    </>
  );
  const said = `${visible(box.title)}: ${visible(box.note)}`;
  return (
    <g transform={`translate(${x} ${y})`} class={`box ${box.look}${inner === null ? '' : ' open'}`}>
      <rect width={width} height={height} rx={8} />
      <title>{said}</title>
      {box.to === null ? text : <a href={box.to}>{text}</a>}
      {onOpen && (box.opens || inner !== null) ? (
        <Opener box={box} x={width - 28} isOpen={inner !== null} onOpen={onOpen} />
      ) : null}
      {inner === null ? null : (
        <g transform={`translate(${inner.x - x} ${inner.y - y})`}>
          <Level layout={inner} onOpen={onOpen} />
        </g>
      )}
    </g>
  );
}

/** Opens a box in its place, or closes it: a button that an SVG can hold. */
function Opener({
  box,
  x,
  isOpen,
  onOpen,
}: {
  box: Box;
  x: number;
  isOpen: boolean;
  onOpen: (id: string) => void;
}) {
  const button = {
    role: 'button' as const,
    tabIndex: 0,
    'aria-expanded': isOpen,
    'aria-label': `${isOpen ? 'Close' : 'Open'} ${visible(box.title)}`,
    onClick: () => onOpen(box.id),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onOpen(box.id);
    },
  };
  return (
    <g {...button} class="opener" transform={`translate(${x} 6)`}>
      <rect width={22} height={22} rx={5} />
      <text x={11} y={16} text-anchor="middle">
        {isOpen ? '−' : '+'}
      </text>
    </g>
  );
}

function short(text: string, most = FITS): string {
  return text.length > most ? `…${text.slice(1 - most)}` : text;
}

function curve(points: readonly (readonly [number, number])[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map(([x, y], at) => {
    const [nextX, nextY] = rest[at + 1] ?? last;
    const isEnd = at === rest.length - 2;
    return `Q${x} ${y} ${isEnd ? nextX : (x + nextX) / 2} ${isEnd ? nextY : (y + nextY) / 2}`;
  });
  return `M${first[0]} ${first[1]}${bends.length > 0 ? bends.join('') : `L${last[0]} ${last[1]}`}`;
}

/** Styles that a picture takes along: a file has none of the page's. */
const TAKEN = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
];

function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll('*');
  for (const [at, element] of [...copy.querySelectorAll('*')].entries()) {
    const original = originals[at];
    if (!original || element.closest('defs') === element) continue;
    const style = getComputedStyle(original);
    for (const name of TAKEN) element.setAttribute(name, style.getPropertyValue(name));
    // Addresses lead nowhere without the page.
    element.removeAttribute('href');
  }
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const { x, y, width, height } = svg.viewBox.baseVal;
  for (const [name, value] of Object.entries({ x, y, width, height }))
    ground.setAttribute(name, String(value));
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

async function savePng(svg: SVGSVGElement, file: string): Promise<void> {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svgText(svg)], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * DENSITY, height * DENSITY];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && saveBlob(blob, file));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(text: string, type: string, file: string): void {
  saveBlob(new Blob([text], { type }), file);
}

function saveBlob(blob: Blob, file: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
