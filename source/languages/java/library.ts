/** What Java's library gives, as far as much used chains lead through it. */
export const LIBRARY = '';
