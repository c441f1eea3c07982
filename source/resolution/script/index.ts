export { calledName, type FoundMember, memberReference } from './reference.js';
export type { Type } from './type.js';
export type { TypeParameter, WrittenFunction, WrittenType } from './written-type.js';
