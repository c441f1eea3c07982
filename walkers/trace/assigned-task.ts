export { SessionState, sessionCursorId } from '../../graphs/trace/index.js';
