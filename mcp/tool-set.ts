import { closest } from 'fastest-levenshtein';
import { CodewalkError, isListed, type Profile, toolEntry } from '../schema/index.js';
import type { ListedTool } from './tool.js';

/** The tools that a server lists: those of its profiles, and the user's own. */
export class ToolSet {
  readonly listed: readonly ListedTool[];

  constructor(
    private readonly all: readonly ListedTool[],
    profiles: readonly Profile[],
  ) {
    this.listed = all.filter(({ name }) => profiles.some((profile) => isListed(name, profile)));
  }

  /**
   * The listed tool of this name, or of an upstream name for it.
   *
   * @throws CodewalkError `WALKER_NOT_FOUND`: with the profile that has it, or the nearest name.
   */
  get(name: string): ListedTool {
    const own = toolEntry(name)?.walker ?? name;
    const tool = this.listed.find((listed) => listed.name === own);
    if (tool) return tool;
    throw new CodewalkError('WALKER_NOT_FOUND', `there is no tool '${name}' here`, {
      input: name,
      suggestion: this.#suggestion(own),
    });
  }

  #suggestion(name: string): string {
    const set = toolEntry(name)?.set;
    const exists = this.all.some((tool) => tool.name === name);
    if (exists && set)
      return `It is in another profile: codewalk mcp --profile ${set === 'extended' ? 'all' : set}.`;
    const names = this.listed.map((tool) => tool.name);
    return names.length > 0 ? `Did you mean '${closest(name, names)}'?` : '';
  }
}
