import { plainName } from './code-workspace.ts'

/**
 * Files that other programs run or obey because they lie there: nobody starts them, and nobody looks at them when it happens. What
 * runs only when somebody runs the project itself (sources, tests, `package.json`, `Makefile`) is the project, and is not here.
 *
 * A name that begins with a dot is by convention for programs, not for people: `.git`, `.gitattributes`, `.github/workflows`,
 * `.gitlab-ci.yml`, `.vscode`, `.idea`, `.husky`, `.envrc`, `.mcp.json`, `.claude`, `.cursor/rules`, `.bashrc`, and what will come.
 */
const dotName = /^\../

/** The others, by who obeys them. */
const obeyedNames: readonly (readonly [who: string, name: RegExp])[] = [
  ['agents', /^(?:agents?|claude|gemini|warp|skill)(?:\.[\w-]+)*\.md$/i],
  ['Scholium', /^scholium\.(?:ya?ml|json)$/i],
  ['editors', /\.(?:code-workspace|sublime-project)$/i],
  ['shells that enter the folder', /^(?:mise(?:\.[\w-]+)?\.toml|devbox\.json)$/i],
  ['Git, by its hooks', /^lefthook(?:-local)?\.(?:ya?ml|json|toml)$/i],
  [
    'services that build and test it',
    /^(?:jenkinsfile|(?:azure-pipelines|bitbucket-pipelines|appveyor|buildspec|cloudbuild|codemagic)\.ya?ml)$/i,
  ],
]

/** Who runs or obeys a file, named from the workspace on, because it lies there; `undefined` for nobody. */
export function obeyedBy(way: string): string | undefined {
  const names = way.split('/').map(plainName)
  if (names.some((name) => dotName.test(name) && name !== '..')) return 'other programs'
  const last = names.at(-1) ?? ''
  return obeyedNames.find(([, name]) => name.test(last))?.[0]
}
