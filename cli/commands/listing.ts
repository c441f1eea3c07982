import { z } from 'zod';
import { indexDefaults } from '../../host/index.js';
import { discover, type ListingRow, languageOf, listing } from '../../source/index.js';
import type { Invocation } from '../invocation.js';
import { checkedRoot } from '../session.js';

const Files = z.object({
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  max_file_bytes: z.number(),
});

/** `codewalk index --list`: discovery alone, no graph is opened. */
export async function printListing({ session, root, flags, input }: Invocation): Promise<void> {
  const { terminal, signal } = session;
  const checked = checkedRoot(session, root, flags);
  const { max_file_bytes, ...globs } = Files.parse({
    ...indexDefaults(checked, { home: flags.home }),
    ...input,
  });
  const limits = { maxFileBytes: max_file_bytes };
  const discovery = await discover(checked, { languageOf, signal, limits, ...globs });
  const files = listing(discovery);
  if (flags.json) terminal.json({ root: discovery.root, files });
  else terminal.out(listingText(files));
}

function listingText(files: readonly ListingRow[]): string {
  const skipped = files.filter(({ decision }) => decision === 'skipped').length;
  const rows = files.map(({ decision, path, language, reason, why }) => {
    const what = decision === 'skipped' ? reason : language;
    return `${decision.padEnd(9)}  ${(what ?? '').padEnd(16)}  ${path.replace(/[\n\r]+/gu, ' ')}${why === '' ? '' : `  (${why})`}\n`;
  });
  return `${rows.join('')}${files.length - skipped} taken, ${skipped} skipped\n`;
}
