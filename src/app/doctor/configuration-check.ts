import { acceptedVariables } from '../config/accepted-variables.ts'
import type { Configuration } from '../config/configuration.ts'
import type { Problem } from '../config/origin.ts'
import { configuredModels } from '../config/role-models.ts'
import type { Check, Finding } from './finding.ts'

/** Checks the configuration files and variables for mistakes. */
export function configurationCheck(configuration: Configuration): Check {
  const { files, envFile, problems, notes, environment } = configuration
  const isSet = ({ name }: { readonly name: string }) => (environment[name] ?? '').trim() !== ''
  const paths = [...files.map(({ path }) => path), ...(envFile.isThere ? [envFile.path] : [])]
  const ofModels = configuredModels(configuration).flatMap((model) => model.problems)
  const mistakes = unique([...problems, ...ofModels])
  return {
    name: 'the configuration',
    area: 'configuration',
    async run(_signal, tell) {
      for (const { place, message } of mistakes)
        tell(finding('problem', `${place}: ${message}`, 'Fix it there.'))
      for (const { place, message } of notes) tell(finding('warning', `${place}: ${message}`))
      for (const path of paths) {
        const isSound = mistakes.every(({ place }) => !place.startsWith(path))
        if (isSound) tell(finding('ok', `${path} is read`))
      }
      if (paths.length === 0 && mistakes.length === 0)
        tell(finding('ok', 'no configuration file; defaults are used'))
      for (const { name, meaning, told } of acceptedVariables.filter(isSet)) {
        const does = `${name} is set. ${meaning.replaceAll('`', '').replace(/\.$/, '')}`
        tell(finding('ok', told?.((environment[name] ?? '').trim()) ?? does))
      }
    },
  }
}

function finding(status: Finding['status'], text: string, hint?: string): Finding {
  return { area: 'configuration', status, text, ...(hint === undefined ? {} : { hint }) }
}

function unique(problems: readonly Problem[]): readonly Problem[] {
  const texts = problems.map(({ place, message }) => `${place} ${message}`)
  return problems.filter((_, index) => texts.indexOf(texts[index] as string) === index)
}
