export {
  type GoModule,
  type GoModules,
  goFolders,
  goModules,
  goPackageName,
  isGoStandard,
  readGoModule,
} from './go.js';
export {
  isJvmBuildFile,
  isJvmStandard,
  type JvmModule,
  jvmGroups,
  jvmPackageName,
  jvmPackageOf,
  readJvmModule,
} from './jvm.js';
