#!/usr/bin/env node
/*! licence */
/** What this file is for. */

// TODO: first thing
import './x';

/** Documented. */
function documented() {
  // FIXME(ann): wrong for negatives
  /*
   * HACK around the bug
   * XXX
   */
  return 'TODO: in a string is none';
}

/* plain */
function plain() {}

/** Not of this one. */

// in between
function other() {}

const value = 1; // todo lower case is none, TODO: at the end is one
