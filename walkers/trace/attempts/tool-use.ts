export { isName, type ToolUse, textsOf, toolUse } from '../../../graphs/trace/index.js';
