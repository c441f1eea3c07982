export { type Asked, askedOf, limitField, offsetsOf, pageFields } from './cursor.js';
export { DIAGRAM_FORMATS, type Diagram, type DiagramNode, diagramBlock, diagramText } from './diagram.js';
export {
  cutText,
  type DetailAt,
  type Draft,
  draftBy,
  draftOf,
  type ListAt,
  presented,
  type Shape,
  withDraft,
  withLess,
  withRows,
} from './draft.js';
export { type Extent, type Fitted, fitted } from './fit.js';
export { harmless, jsonText, stripHidden } from './harmless.js';
export { type Found, listAnswer, listMarkdown, mostOf, type Page } from './list.js';
export { countsLine, markdownTable, minuteOf, plural } from './markdown.js';
export { firstLine, quotedBlock, quotedLine, quotedName, shownLine } from './shown-text.js';
export { didYouMean, isNear, nearestFirst, nearMembers, slips, suggestedPaths } from './suggestion.js';
export { largestThatFits, tokensOf } from './tokens.js';
