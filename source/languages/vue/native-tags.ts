/** The elements of HTML, SVG and MathML that Vue never takes for components, whatever is called like them. */
const NATIVE: ReadonlySet<string> = new Set(
  (
    'html body base head link meta style title address article aside footer header hgroup h1 h2 h3 h4 h5 h6 nav ' +
    'section div dd dl dt figcaption figure picture hr img li main ol p pre ul a b abbr bdi bdo br cite code data dfn ' +
    'em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area audio map track video embed object ' +
    'param source canvas script noscript del ins caption col colgroup table thead tbody td th tr button datalist ' +
    'fieldset form input label legend meter optgroup option output progress select textarea details dialog menu ' +
    'summary template blockquote iframe tfoot slot component svg animate circle defs desc ellipse filter g image line ' +
    'marker mask path pattern polygon polyline rect set stop switch symbol text tspan use view discard hatch mesh ' +
    'metadata math mi mn mo ms mtext mrow mfrac msqrt'
  ).split(' '),
);

/** Whether an element of this name is the platform's. */
export function isNative(name: string): boolean {
  return NATIVE.has(name);
}
