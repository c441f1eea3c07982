import type { LinkRules } from '../link/rules.js';
import { c } from './c/index.js';
import { dotenv, json, toml } from './config/index.js';
import { cpp } from './cpp/index.js';
import { csharp } from './csharp/index.js';
import { dart } from './dart/index.js';
import { graphql, openapi, protobuf, sql } from './documents/index.js';
import { go } from './go/index.js';
import { java } from './java/index.js';
import { kotlin } from './kotlin/index.js';
import { type Language, languageAmong, type TextFormat } from './language.js';
import { lua } from './lua/index.js';
import { php } from './php/index.js';
import { python } from './python/index.js';
import { ruby } from './ruby/index.js';
import { rust } from './rust/index.js';
import { scala } from './scala/index.js';
import { shell } from './shell/index.js';
import { swift } from './swift/index.js';
import { javascript, jsx, tsx, typescript } from './typescript/index.js';
import { vue } from './vue/index.js';

/** The languages that are extracted. Adding one is adding its folder and its name here. */
export const languages: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  jsx,
  vue,
  python,
  go,
  java,
  kotlin,
  scala,
  rust,
  php,
  csharp,
  c,
  cpp,
  shell,
  ruby,
  dart,
  lua,
  swift,
  json,
  toml,
  dotenv,
  sql,
  graphql,
  protobuf,
  openapi,
];

/** The extracted language of a path, by its name; null when its language is not extracted. */
export function languageOf(path: string): Language | null {
  return languageAmong(languages, path);
}

const linked = new Map(
  languages.flatMap((one): [string, LinkRules][] =>
    one.grammar !== null && one.link !== undefined ? [[one.name, one.link]] : [],
  ),
);

const documents = new Map(
  languages.flatMap((one): [string, NonNullable<TextFormat['names']>][] =>
    one.grammar === null && one.names !== undefined ? [[one.name, one.names]] : [],
  ),
);

/** How names of documents of a format are found, by the name that facts carry; undefined for what is no document. */
export function documentNames(language: string): TextFormat['names'] {
  return documents.get(language);
}

/** What the linker has to know of a language, by the name that facts carry; undefined for one without units. */
export function linkRulesOf(language: string): LinkRules | undefined {
  return linked.get(language);
}
