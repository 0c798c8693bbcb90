/** What the person who runs Scholium is told of it and sets it up with: configuration, models, health. */

export { appOptionsOf, askDefaultsOf, type ModelUse } from './config/app-settings.ts'
export {
  type Configuration,
  type ConfigurationRequest,
  type GivenSettings,
  loadConfiguration,
  readConfiguration,
} from './config/configuration.ts'
export {
  type ConfigurationReport,
  describeConfiguration,
  type SettingLine,
} from './config/describe-configuration.ts'
export { refusedHomeNote } from './config/home-setting.ts'
export { publishedSchema as configJsonSchema } from './config/published-schema.ts'
export { projectModels, unusedDeployments } from './config/role-models.ts'
export { type WrittenStarter, writeStarter } from './config/starter.ts'
export type { DoctorReport, ExamineOptions, ExamineProgress } from './doctor/examine.ts'
export type { Finding, Health } from './doctor/finding.ts'
export { examine } from './doctor/load-examine.ts'
export {
  costText,
  type EvalOptions,
  type EvalProgress,
  type EvalReport,
  type EvalRequest,
  engineNames,
  engineNotes,
  evaluate,
  rateText,
  scoreColumns,
} from './eval/eval.ts'
export {
  describeModels,
  listProviderModels,
  type ModelsReport,
  type OfferedModel,
  type ProviderLine,
  type RoleLine,
  type ToldPrice,
} from './models/list-providers.ts'
export { lookIntoHome, registerHome } from './trust/load-trust-home.ts'
export type { HomeContents } from './trust/trust-home.ts'
export { type TrustedFolder, trustedFolders, untrust } from './trust/trusted-folders.ts'
