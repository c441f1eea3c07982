import type { CypherNode, CypherPath, CypherRelationship, CypherValue } from '../value.js';
import type { CypherElement } from '../values/index.js';
import { isElement, isMap, isNode, isPath, isRelationship } from '../values/index.js';
import { misfit } from './arguments.js';
import { type CallSite, scalars } from './signature.js';

const element = scalars('elements and paths');

/** Functions of nodes, relationships, paths and maps. */
export const ELEMENT_FUNCTIONS = [
  element(
    'id(element)',
    'What a node or relationship is known by.',
    ['id(n) = id(startNode(r))', 'true'],
    (at, value) => elementArgument(at, value).id,
  ),
  element('elementId(element)', 'The id as a text.', ['elementId(n) = elementId(m)', 'false'], (at, value) =>
    String(elementArgument(at, value).id),
  ),
  element('labels(node)', 'The labels of a node.', ['labels(n)', "['Person']"], (at, value) =>
    nodeArgument(at, value).labels(),
  ),
  element(
    'type(relationship)',
    'The type of a relationship.',
    ['type(r)', "'KNOWS'"],
    (at, value) => relationshipArgument(at, value).type,
  ),
  element(
    'startNode(relationship)',
    'Where a relationship starts.',
    ['startNode(r).name', "'Ada'"],
    (at, value) => relationshipArgument(at, value).start,
  ),
  element(
    'endNode(relationship)',
    'Where a relationship ends.',
    ['endNode(r).name', "'Charles'"],
    (at, value) => relationshipArgument(at, value).end,
  ),
  element(
    'keys(value)',
    'Names of the properties, or of the entries of a map.',
    ['keys(n)', "['name', 'born']"],
    (at, value) => {
      if (isMap(value)) return [...value.keys()];
      if (isElement(value)) return [...value.properties().keys()];
      throw misfit(at, 'a node, a relationship or a map', value);
    },
  ),
  element(
    'properties(value)',
    'All properties as a map.',
    ['properties(r)', '{since: 1833}'],
    (at, value) => {
      if (isMap(value)) return value;
      if (isElement(value)) return value.properties();
      throw misfit(at, 'a node, a relationship or a map', value);
    },
  ),
  element(
    'nodes(path)',
    'The nodes of a path.',
    ['[x IN nodes(p) | x.name]', "['Ada', 'Charles']"],
    (at, value) => pathArgument(at, value).nodes,
  ),
  element(
    'relationships(path)',
    'The relationships of a path.',
    ['[x IN relationships(p) | type(x)]', "['KNOWS']"],
    (at, value) => pathArgument(at, value).relationships,
  ),
  element('length(path)', 'How many relationships a path has.', ['length(p)', '1'], (at, value) =>
    BigInt(pathArgument(at, value).relationships.length),
  ),
];

function elementArgument(at: CallSite, value: CypherValue): CypherElement {
  if (isElement(value)) return value;
  throw misfit(at, 'a node or a relationship', value);
}

function nodeArgument(at: CallSite, value: CypherValue): CypherNode {
  if (isNode(value)) return value;
  throw misfit(at, 'a node', value);
}

function relationshipArgument(at: CallSite, value: CypherValue): CypherRelationship {
  if (isRelationship(value)) return value;
  throw misfit(at, 'a relationship', value);
}

function pathArgument(at: CallSite, value: CypherValue): CypherPath {
  if (isPath(value)) return value;
  throw misfit(at, 'a path', value);
}
