export { isName, textsOf, type ToolUse, toolUse } from '../../../graphs/trace/index.js';
