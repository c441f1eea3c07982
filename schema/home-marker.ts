/**
 * The name of the file that marks the folder in which graphs are kept, wherever `GRAPHS_HOME` puts it: discovery
 * leaves such a folder out, so that a graph never indexes itself.
 */
export const HOME_MARKER = '.codewalk-home';
