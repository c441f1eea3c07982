export { cursorState as rememberedBy, deliveredCursorId as toldCursorId } from '../../graphs/trace/index.js';
