import { posix, win32 } from 'node:path'
import { createRoute, z } from '@hono/zod-openapi'
import { type Configuration, describeConfiguration, describeModels, examine } from '../app.ts'
import { RequestError } from './request-error.ts'
import { type Api, errors, json, type RunSite } from './run-site.ts'
import { isWebAllowed } from './start-run.ts'
import { type Principal, roles } from './tokens.ts'

const actionList = z
  .object({ actions: z.array(z.looseObject({ name: z.string(), effect: z.string() })) })
  .openapi('Actions')

const modelList = z
  .object({
    roles: z.array(
      z.object({
        role: z.string(),
        name: z.string(),
        price: z
          .object({ inputUsdPerMTok: z.number(), outputUsdPerMTok: z.number() })
          .optional()
          .openapi({ description: 'In US dollars per million tokens; absent if unknown.' }),
      }),
    ),
  })
  .openapi('Models')

const accessReport = z
  .object({
    role: z.enum(roles),
    web: z.boolean().openapi({ description: 'Whether runs may use the web.' }),
    files: z.boolean().openapi({ description: 'Whether requests can name files as `sources`.' }),
    agents: z.boolean().openapi({ description: 'Whether there is a folder of agent files.' }),
  })
  .openapi('Access')

const settingList = z
  .object({
    settings: z.array(z.object({ key: z.string(), value: z.unknown(), from: z.string() })),
    variables: z
      .array(z.string())
      .openapi({ description: 'Variables of providers that are set; their values are not told.' }),
    problemPlaces: z.array(z.string()).openapi({ description: 'Where settings cannot be used.' }),
  })
  .openapi('Settings')

const doctorReport = z
  .object({
    schema: z.literal('scholium.doctor/1'),
    status: z.string(),
    findings: z.array(z.looseObject({ area: z.string(), status: z.string(), text: z.string() })),
    durationMs: z.number(),
  })
  .openapi('DoctorReport')

const get = <Schema extends z.ZodType>(name: string, summary: string, schema: Schema) =>
  ({
    method: 'get',
    path: `/api/${name}`,
    summary,
    responses: { 200: json(schema, 'It.'), ...errors },
  }) as const

const actions = createRoute(get('actions', 'The actions that agent files can name.', actionList))
const models = createRoute(get('models', 'The model of each role.', modelList))
const access = createRoute(get('access', 'What this token and this server allow.', accessReport))
const config = createRoute(
  get('config', 'Settings and where they come from, for admins.', settingList),
)
const doctor = createRoute(
  get('doctor', 'What of the set-up works and what does not, for admins.', doctorReport),
)

/** Time limit of an examination. */
const maxExaminationMs = 30_000

/** Adds the routes that show how the server is set up. */
export function addSetUpRoutes(api: Api, site: RunSite): void {
  const { app, form, policy } = site
  let examination: ReturnType<typeof examine> | undefined
  api.openapi(actions, async (c) => {
    const actions: z.infer<typeof actionList>['actions'] = []
    for (const action of await app.listActions()) actions.push({ ...action })
    return c.json(form.of({ actions }), 200)
  })
  api.openapi(models, (c) => c.json({ roles: rolesOf(site) }, 200))
  api.openapi(access, (c) => {
    const { filesFolder, agentsFolder } = policy
    const { role } = c.get('principal')
    const [files, agents] = [filesFolder !== undefined, agentsFolder !== undefined]
    return c.json({ role, web: isWebAllowed(policy), files, agents }, 200)
  })
  api.openapi(config, (c) =>
    c.json(form.of(settingsOf(requireConfiguration(policy, c.get('principal')))), 200),
  )
  api.openapi(doctor, async (c) => {
    const configuration = requireConfiguration(policy, c.get('principal'))
    examination ??= examine(configuration, { maxMs: maxExaminationMs }).finally(() => {
      examination = undefined
    })
    const report = await examination
    const hide = hiderOf(configuration)
    const body: z.infer<typeof doctorReport> = { ...report, findings: [] }
    body.findings = report.findings.map(({ text, hint, subject, ...finding }) => {
      const told = form.of({ message: hide(text), ...(hint && { hint: hide(hint) }) })
      return {
        ...finding,
        text: told.message,
        ...(subject && { subject: hide(subject) }),
        ...(told.hint && { hint: told.hint }),
      }
    })
    return c.json(form.of(body), 200)
  })
}

/** @throws `forbidden` for tokens that are no admin's, `not_found` without a configuration */
function requireConfiguration(
  { configuration }: RunSite['policy'],
  { role }: Principal,
): Configuration {
  if (role !== 'admin')
    throw new RequestError('forbidden', 'Only admins can look at the set-up of this server.')
  if (configuration !== undefined) return configuration
  throw new RequestError('not_found', 'This server was started without a configuration.')
}

function rolesOf({ app, policy }: RunSite): z.infer<typeof modelList>['roles'] {
  if (policy.configuration === undefined)
    return Object.entries(app.models).map(([role, name]) => ({ role, name }))
  return describeModels(policy.configuration).roles.map(({ role, name, price }) => ({
    role,
    name,
    ...(price && { price }),
  }))
}

function settingsOf(configuration: Configuration): z.infer<typeof settingList> {
  const { settings, variables, problems } = describeConfiguration(configuration)
  const hide = hiderOf(configuration)
  return {
    settings: settings.map(({ key, value, from }) => {
      const kind = configuration.settings.get(key)?.origin.kind
      const isVariable = kind === 'environment' || kind === 'env_file'
      return { key, value: isVariable ? 'set' : publicValue(value, hide), from: nameOf(from) }
    }),
    variables: variables.map(({ key }) => key),
    problemPlaces: problems.map(({ place }) => nameOf(place)),
  }
}

/** A setting without secrets in addresses, values of variables, and places on this machine. */
function publicValue(value: unknown, hide: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => publicValue(item, hide))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, publicValue(member, hide)]),
    )
  if (typeof value !== 'string') return value
  const { username = '', password = '', search = '', hash = '' } = URL.parse(value) ?? {}
  return username + password + search + hash === '' ? nameOf(hide(value)) : 'set'
}

/** An absolute path as its last part; other texts as they are. */
function nameOf(text: string): string {
  if (/^[A-Za-z]:\\/.test(text)) return win32.basename(text)
  return text.startsWith('/') ? posix.basename(text) : text
}

const minHiddenLength = 6

/** Writes the names of variables for their values. */
function hiderOf(configuration: Configuration): (text: string) => string {
  const known = new Set(describeConfiguration(configuration).variables.map(({ key }) => key))
  const values = Object.entries(configuration.environment)
    .filter(([name]) => known.has(name) || name.startsWith('SCHOLIUM_'))
    .flatMap(([name, value = '']) => (value.length < minHiddenLength ? [] : [{ name, value }]))
    .toSorted((one, other) => other.value.length - one.value.length)
  return (text) =>
    values.reduce((told, { name, value }) => told.replaceAll(value, () => `$${name}`), text)
}
