export {
  calledName,
  type FoundMember,
  keyMeanings,
  memberReference,
  type StepListener,
} from './reference.js';
export type { Type } from './type.js';
export type { TypeParameter, WrittenFunction, WrittenType } from './written-type.js';
