/** The tools of the workspace, by the names that rules and models call them by. `skill` and `fetch` are not in every session. */
export const codeToolNames = [
  'read',
  'write',
  'edit',
  'list',
  'glob',
  'grep',
  'bash',
  'job_output',
  'job_stop',
  'todo',
  'skill',
  'fetch',
] as const

/** Names by which other agents know these tools. */
const otherNames: Readonly<Record<string, string>> = {
  read_file: 'read',
  write_file: 'write',
  create_file: 'write',
  update_file: 'edit',
  edit_file: 'edit',
  list_dir: 'list',
  ls: 'list',
  run_command: 'bash',
  shell: 'bash',
  todo_write: 'todo',
  web_fetch: 'fetch',
}

/** The name of a tool here, by the one that another agent has for it; every other name as it is. */
export function toOwnName(name: string): string {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] as string) : name
}
