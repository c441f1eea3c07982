import type { TextFormat } from '../language.js';
import { graphqlFacts } from './graphql.js';
import { openapiFacts } from './openapi.js';
import { protobufFacts } from './protobuf.js';
import { sqlFacts } from './sql.js';

/** Of all four: they define names that code refers to. */
const shared = { grammar: null, version: 1, names: 'exact' } as const;

/** Messages and services. */
export const protobuf: TextFormat = {
  ...shared,
  name: 'protobuf',
  takes: (name) => /\.proto$/i.test(name),
  extract: protobufFacts,
};

/** Schemas and operations. */
export const graphql: TextFormat = {
  ...shared,
  name: 'graphql',
  takes: (name) => /\.(?:graphqls?|gql)$/i.test(name),
  extract: graphqlFacts,
};

/** Tables and routines of databases. */
export const sql: TextFormat = {
  ...shared,
  names: 'folded',
  name: 'sql',
  takes: (name) => /\.sql$/i.test(name),
  extract: sqlFacts,
};

/** Descriptions of HTTP interfaces. */
export const openapi: TextFormat = {
  ...shared,
  name: 'openapi',
  takes: (name) =>
    /^(?:openapi|swagger)(?:[.-][\w.-]+)?\.(?:json|ya?ml)$|[.-]openapi\.(?:json|ya?ml)$/i.test(name),
  extract: openapiFacts,
};
