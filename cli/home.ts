/**
 * What commands about what is kept use of the host. They import this late, and the build makes a bundle of it: they
 * need neither the engine nor what else stands behind the host's door.
 */
export {
  changeSetting,
  configFile,
  examine,
  graphsFolderOf,
  heldSettings,
  homeStatus,
  knownRoot,
  pausedBy,
  projectRootOf,
  removeProject,
  setPaused,
  settingName,
  settingsFor,
  typedValue,
} from '../host/index.js';
