import { statSync } from 'node:fs';
import { CodewalkError, type Settings } from '../schema/index.js';
import { type Embedder, type EmbedderSource, RemoteEmbedder } from '../search/index.js';
import { settingsFor } from './config.js';
import { configFile, type HomeOptions, processSurroundings } from './surroundings.js';

/**
 * The embedder that the configuration names for a root, as it stands whenever somebody asks: changing a setting needs no
 * new start.
 *
 * @param root Its real path; null for a graph in memory.
 */
export function configuredEmbedder(root: string | null, options: HomeOptions = {}): EmbedderSource {
  let made: { readonly of: string; readonly embedder: Embedder } | null = null;
  let known: { readonly state: string; readonly settings: Settings } | null = null;
  return () => {
    // Every search asks: the file is read again only where it changed.
    const state = stateOf(configFile(options));
    if (known?.state !== state) known = { state, settings: settingsFor(root, options) };
    const {
      embeddings_url: url,
      embeddings_model: model,
      embeddings_key_variable: variable,
    } = known.settings;
    if (url === '') return null;
    const key = variable === '' ? null : keyIn(variable, options);
    const of = JSON.stringify([url, model, key]);
    if (made?.of !== of) made = { of, embedder: new RemoteEmbedder({ url, model, key }) };
    return made.embedder;
  };
}

/** What differs once a file was written again; empty where there is none. */
function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : '';
}

/** Whether the configuration names an embedder for a root. */
export function hasEmbedder(root: string | null, options: HomeOptions = {}): boolean {
  return settingsFor(root, options).embeddings_url !== '';
}

function keyIn(variable: string, { surroundings = processSurroundings() }: HomeOptions): string {
  const key = surroundings.env[variable];
  if (key) return key;
  throw new CodewalkError(
    'EMBEDDINGS_FAILED',
    `the variable ${variable}, which embeddings_key_variable names, is not set where the graph is open`,
    {
      suggestion: "Set it, then 'codewalk stop': the next command starts a daemon that has it.",
      input: variable,
    },
  );
}
