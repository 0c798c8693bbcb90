import type { Configuration } from './config/configuration.ts'
import type { JsonSchema } from './config/schema.ts'
import type { DoctorReport, ExamineOptions } from './doctor/examine.ts'
import type { HomeContents } from './trust/trust-home.ts'

/** What the person who runs Scholium needs for setting it up: configuration, models, health. */

export {
  type ModelUse,
  readAskDefaults,
  readPapersDefaults,
  toAppOptions,
} from './config/app-settings.ts'
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
export { projectModels, unusedDeployments } from './config/role-models.ts'
export { type WrittenStarter, writeStarter } from './config/starter.ts'
export type { DoctorReport, ExamineOptions, ExamineProgress } from './doctor/examine.ts'
export type { Finding, Health } from './doctor/finding.ts'

export {
  type EvalOptions,
  type EvalProgress,
  type EvalReport,
  type EvalRequest,
  engineNames,
  engineNotes,
  evaluate,
  formatCost,
  formatRate,
  scoreColumns,
} from './eval/eval.ts'
export {
  describeModels,
  listProviderModels,
  type ModelsReport,
  type OfferedModel,
  type ProviderLine,
  type RoleLine,
  type ShownPrice,
} from './models/list-providers.ts'

export type { HomeContents } from './trust/trust-home.ts'
export { type TrustedFolder, trustedFolders, untrust } from './trust/trusted-folders.ts'

/** Examines a setup; see {@link ExamineOptions}. Its code is loaded on first use. */
export async function examine(
  configuration: Configuration,
  options: ExamineOptions = {},
): Promise<DoctorReport> {
  return (await import('./doctor/examine.ts')).examine(configuration, options)
}

/** Inspects a home without trusting it. Its code is loaded on first use. @see {@link HomeContents} */
export async function lookIntoHome(
  configuration: Configuration,
  folder: string | undefined,
): Promise<HomeContents> {
  return (await import('./trust/trust-home.ts')).lookIntoHome(configuration, folder)
}

/** Registers a home as this person's. @throws `invalid_configuration` if it cannot be registered, `store_failed` */
export async function registerHome(configuration: Configuration, path: string): Promise<void> {
  return (await import('./trust/trust-home.ts')).registerHome(configuration, path)
}

/** The JSON Schema of the configuration file. */
export async function configJsonSchema(): Promise<JsonSchema> {
  return (await import('./config/schema.ts')).configJsonSchema()
}
export {
  clientFunctions,
  type FunctionQuestion,
  type FunctionsRequest,
} from './workflows/client-functions.ts'
