import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One planted text that asks for something. */
export interface Injection {
  readonly from: string
  readonly text: string
}

/** Where the collections are, or `undefined` without them. */
export const data = process.env.SCHOLIUM_DATA

/** Every attack of BIPIA and every goal of AgentDojo that is stored, in the order of the files. */
export function allInjections(): readonly Injection[] {
  const folder = join(data ?? '', '07-adversarial')
  return [...bipia(join(folder, 'BIPIA/benchmark')), ...agentDojo(tasksIn(folder))]
}

/** The tools that the goals of AgentDojo are reached with, as its own solutions call them. */
export function agentDojoTools(): readonly string[] {
  const sources = tasksIn(join(data ?? '', '07-adversarial')).map(({ source }) => source)
  const names = sources.flatMap((source) => [...source.matchAll(/function="(\w+)"/g)])
  return [...new Set(names.map(([, name = '']) => name))].sort()
}

function bipia(folder: string): readonly Injection[] {
  const files = readdirSync(folder).filter((name) => /_attack_\w+\.json$/.test(name))
  return files.sort().flatMap((file) => {
    const kinds = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string[]>
    return Object.values(kinds)
      .flat()
      .map((text) => ({ from: `BIPIA ${file}`, text }))
  })
}

interface Tasks {
  readonly name: string
  readonly source: string
}

function tasksIn(folder: string): readonly Tasks[] {
  const path = join(folder, 'agentdojo/injection_tasks')
  return readdirSync(path)
    .sort()
    .map((name) => ({ name, source: readFileSync(join(path, name), 'utf8') }))
}

/** A goal is one string literal or several in parentheses, with constants of its class in braces. */
const goals = /^ {4}GOAL = (?:\(\n((?: {8}.*\n)+) {4}\)|(.*))$/gm

function agentDojo(tasks: readonly Tasks[]): readonly Injection[] {
  return tasks.flatMap(({ name, source }) =>
    [...source.matchAll(goals)].map(({ 1: several, 2: single, index }) => {
      const before = source.slice(0, index)
      const literals = [...(several ?? single ?? '').matchAll(/f?"((?:[^"\\]|\\.)*)"/g)]
      const text = literals.map(([, words = '']) => words).join('')
      const filled = text.replaceAll(/\{(\w+)\}/g, (_braces, constant: string) =>
        constantOf(before, constant),
      )
      return { from: `AgentDojo ${name}`, text: filled }
    }),
  )
}

/** The last text that a constant was given; its name where it was given none. */
function constantOf(before: string, name: string): string {
  const found = [...before.matchAll(new RegExp(`\\b${name} = "([^"\\n]*)"`, 'g'))]
  return found.at(-1)?.[1] ?? name
}
