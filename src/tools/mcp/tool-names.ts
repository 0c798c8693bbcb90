import { wireToolName } from '../../kernel/agent/tool.ts'
import { sha256 } from '../../kernel/json.ts'

const maxWireChars = 64
const hashChars = 8

/**
 * A name for each pair of a server and its tool, in their order: `server.tool`, in letters that a tool's name may have. A name that
 * is too long, or that a model could not tell from another one, ends with a hash of the pair; so it is the same in every run.
 */
export function toolNames(
  pairs: readonly (readonly [server: string, tool: string])[],
  takenNames: readonly string[],
): readonly string[] {
  const plain = pairs.map(([server, tool]) => `${part(server)}.${part(tool)}`)
  const taken = new Set(takenNames.map(wireToolName))
  const uses = new Map<string, number>()
  for (const name of plain) uses.set(wire(name), (uses.get(wire(name)) ?? 0) + 1)
  return plain.map((name, index) => {
    const isPlain =
      name.length <= maxWireChars && uses.get(wire(name)) === 1 && !taken.has(wireToolName(name))
    return isPlain ? name : withHash(name, JSON.stringify(pairs[index]))
  })
}

function wire(name: string): string {
  return name.replaceAll('.', '_')
}

function withHash(name: string, identity: string): string {
  const room = maxWireChars - hashChars - 1
  return `${name.slice(0, room).replace(/\.$/, '')}_${sha256(identity).slice(0, hashChars)}`
}

/** One part of a name: it begins with a letter and has letters, digits, `_` and `-`. */
function part(text: string): string {
  const allowed = text.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z]/.test(allowed) ? allowed : `x${allowed}`
}
