import type { Command } from 'commander';
import type { Session } from '../session.js';
import { configCommand } from './config.js';
import { projectsCommand } from './projects.js';

/** The commands about what is kept, for all projects: they spawn no walker of their own. */
export function homeCommands(session: Session): Command[] {
  return [configCommand(session), projectsCommand(session)];
}
