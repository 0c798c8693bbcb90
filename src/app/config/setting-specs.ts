import { bytesPerMb, defaultMaxLogBytes } from '../../kernel/limits/log-limit.ts'
import { chosenRoles } from '../models/roles.ts'

/** A setting and the names under which it can be given. */
export interface SettingSpec {
  /** Its path in a configuration file: `limits.maxSteps`. */
  readonly key: string
  readonly variable?: string
  readonly option?: string
  /** The default. */
  readonly fallback: string
}

const none = 'none'

/** Whether the default model is used for a role without one. */
function isStoodInFor(role: string): boolean {
  return role !== 'default' && role !== 'embedding'
}

/** Every setting, in the order of display. */
export const settingSpecs: readonly SettingSpec[] = [
  {
    key: 'home',
    variable: 'SCHOLIUM_HOME',
    option: '--home DIR',
    fallback: 'the nearest .scholium folder that you created, else your user data folder',
  },
  { key: 'trustedHomes', variable: 'SCHOLIUM_TRUSTED_HOMES', fallback: none },
  {
    key: 'models.default',
    variable: 'SCHOLIUM_MODEL',
    option: '--model NAME',
    fallback: 'extractive',
  },
  ...chosenRoles.filter(isStoodInFor).map((role) => ({
    key: `models.${role}`,
    variable: 'SCHOLIUM_MODEL',
    option: `--model ${role}=NAME`,
    fallback: 'models.default',
  })),
  {
    key: 'models.embedding',
    variable: 'SCHOLIUM_MODEL',
    option: '--model embedding=NAME',
    fallback: none,
  },
  { key: 'prices', fallback: 'the built-in table' },
  {
    key: 'limits.maxSteps',
    variable: 'SCHOLIUM_MAX_STEPS',
    option: '--max-steps N',
    fallback: none,
  },
  {
    key: 'limits.maxTokens',
    variable: 'SCHOLIUM_MAX_TOKENS',
    option: '--max-tokens N',
    fallback: none,
  },
  {
    key: 'limits.maxCostUsd',
    variable: 'SCHOLIUM_MAX_COST_USD',
    option: '--max-cost-usd USD',
    fallback: none,
  },
  {
    key: 'limits.maxSeconds',
    variable: 'SCHOLIUM_MAX_SECONDS',
    option: '--max-seconds S',
    fallback: none,
  },
  {
    key: 'limits.maxLogMb',
    variable: 'SCHOLIUM_MAX_LOG_MB',
    option: '--max-log-mb MB',
    fallback: String(defaultMaxLogBytes / bytesPerMb),
  },
  {
    key: 'retryLimit',
    variable: 'SCHOLIUM_RETRY_LIMIT',
    option: '--retry-limit N',
    fallback: '5',
  },
  { key: 'retryLimits.planner', fallback: none },
  { key: 'retryLimits.researcher', fallback: none },
  { key: 'retryLimits.expert', fallback: none },
  { key: 'criteria.planner', fallback: none },
  { key: 'criteria.researcher', fallback: none },
  { key: 'criteria.expert', fallback: none },
  {
    key: 'claims',
    variable: 'SCHOLIUM_CLAIMS',
    option: '--claims POLICY',
    fallback: 'mark',
  },
  {
    key: 'depth',
    variable: 'SCHOLIUM_DEPTH',
    option: '--depth DEPTH',
    fallback: 'standard',
  },
  { key: 'web', variable: 'SCHOLIUM_WEB', option: '--web', fallback: 'false' },
  { key: 'mcp.servers', variable: 'SCHOLIUM_MCP', option: '--mcp', fallback: 'false' },
  { key: 'mcp.config', variable: 'SCHOLIUM_MCP_CONFIG', fallback: 'your own .mcp.json' },
  { key: 'mcp.allow', fallback: none },
  {
    key: 'python.enabled',
    variable: 'SCHOLIUM_PYTHON',
    option: '--no-python',
    fallback: 'if installed',
  },
  { key: 'python.timeoutSeconds', fallback: '10' },
  { key: 'python.memoryMb', fallback: '512' },
  { key: 'sources', option: '--source PATH', fallback: none },
]

/** The variable that names a configuration file. */
export const configVariable = 'SCHOLIUM_CONFIG'
