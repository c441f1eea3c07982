import { dotenv, json, toml } from './config/index.js';
import { type Language, languageAmong } from './language.js';
import { python } from './python/index.js';
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
  json,
  toml,
  dotenv,
];

/** The extracted language of a path, by its name; null when its language is not extracted. */
export function languageOf(path: string): Language | null {
  return languageAmong(languages, path);
}
