import type { Command } from 'commander';
import type { Session } from '../session.js';
import { adoptCommand } from './adopt.js';
import { configCommand } from './config.js';
import { doctorCommand } from './doctor.js';
import { forgetCommand } from './forget.js';
import { gcCommand } from './gc.js';
import { installCommand } from './install.js';
import { pauseCommands } from './pause.js';
import { projectsCommand } from './projects.js';
import { rebuildCommand } from './rebuild.js';
import { removeCommand } from './remove.js';
import { statusCommand } from './status.js';
import { stopCommand } from './stop.js';
import { uninstallCommand } from './uninstall.js';

/** The commands about what is kept, for all projects: they are no walkers. */
export function homeCommands(session: Session): Command[] {
  return [
    installCommand(session),
    uninstallCommand(session),
    statusCommand(session),
    doctorCommand(session),
    stopCommand(session),
    projectsCommand(session),
    adoptCommand(session),
    removeCommand(session),
    forgetCommand(session),
    gcCommand(session),
    rebuildCommand(session),
    ...pauseCommands(session),
    configCommand(session),
  ];
}
