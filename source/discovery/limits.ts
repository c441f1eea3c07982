import { LIMITS } from '../../schema/index.js';

/** The limits of discovery, each of which `discover` takes as an option. Sizes in bytes. */
export interface DiscoveryLimits {
  /** Larger files are skipped: no person wrote them, and parsing them takes seconds. */
  readonly maxFileBytes: number;
  /** A file is binary when a NUL byte stands in this many bytes from its start (git looks at 8,000). */
  readonly binaryProbeBytes: number;
  /** A file whose lines have more bytes than this on average is minified: a File, but not extracted. */
  readonly maxAverageLineBytes: number;
  /** Smaller files are not tried for being minified: extracting them costs nothing worth saving. */
  readonly minMinifiedBytes: number;
}

/** What holds unless the caller says otherwise. */
export const DISCOVERY_LIMITS: DiscoveryLimits = {
  maxFileBytes: LIMITS.fileBytes.default,
  binaryProbeBytes: LIMITS.binaryProbe.max,
  maxAverageLineBytes: LIMITS.averageLineBytes.max,
  minMinifiedBytes: LIMITS.minifiedBytes.min,
};
