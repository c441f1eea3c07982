import type { InstallableClient } from '../install/client.js';
import { SERVER_NAME } from '../install/entries.js';
import { qwenHooks, qwenServer } from './entries.js';
import { extensionParts } from './extension.js';
import { extensionFolder, projectSettings, userSettings } from './places.js';

/** Qwen Code: an extension for the user, settings for a project. */
export const qwenClient: InstallableClient = {
  name: 'qwen',
  title: 'Qwen Code',
  version: ['qwen', '--version'],
  projectNote: 'Qwen Code runs the hooks of a project in trusted folders only.',
  userSettings,
  parts: (root, programs, machine) =>
    root === null
      ? extensionParts(extensionFolder(machine), programs)
      : [
          {
            path: projectSettings(root),
            entries: {
              hooks: qwenHooks(programs),
              mcpServers: { [SERVER_NAME]: qwenServer(programs, 'qwen') },
            },
          },
        ],
};
