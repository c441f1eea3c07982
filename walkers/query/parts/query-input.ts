import { z } from 'zod';
import { DIAGRAM_FORMATS, pageFields } from '../../../present/index.js';
import { LIMITS } from '../../../schema/index.js';

/** The input field of a name, with what P-03 forgives. On a command line a path in it is relative to where one stands. */
export function nameField(what: string) {
  return placeText().describe(what);
}

function placeText() {
  return z.string().trim().min(1, 'it is empty').max(LIMITS.nameText.max).meta({ place: true });
}

/** The input field of a depth. @param limit Its bounds and default. */
export function depthField(limit: { readonly default: number; readonly min: number; readonly max: number }) {
  return z.number().int().min(limit.min).max(limit.max).default(limit.default);
}

/** What every structural query takes beside its own. */
export const queryFields = {
  scope: placeText().optional().describe('Folder, file or package'),
  ...pageFields(LIMITS.lookupTokens),
};

/** The input field of the most rows that a structural query shows at once (S0-59). */
export function rowsField() {
  const { max } = LIMITS.queryRows;
  return z.number().int().min(1).max(max).default(max);
}

/** What a query whose answer can be drawn takes besides. */
export const diagramFields = {
  format: z.enum(DIAGRAM_FORMATS).optional().describe('A diagram as well'),
};
