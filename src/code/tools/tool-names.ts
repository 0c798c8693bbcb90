/** The workspace's tools by the names used in rules and by models. `skill` and `fetch` are not in every session. */
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

/** Names that other agents use for these tools. */
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

/** This agent's name for a tool, given another agent's; any other name is returned as is. */
export function toOwnName(name: string): string {
  return Object.hasOwn(otherNames, name) ? (otherNames[name] as string) : name
}
