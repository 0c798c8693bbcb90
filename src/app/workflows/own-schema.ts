import { ScholiumError } from '../../kernel/errors.ts'

/**
 * What checks a value and tells its type: a schema of zod, Valibot, ArkType or any other library with the interface.
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The interface's own member. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    /** Gives the value as the schema has it, or what does not fit. */
    readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The value as its schema gives it. @throws `invalid_input` with all that does not fit */
export async function checkValue<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
  what: string,
): Promise<Output> {
  const checked = await schema['~standard'].validate(value)
  if (checked.issues === undefined) return checked.value
  const problems = checked.issues.map(({ message, path = [] }) => {
    const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
    return place === '' ? message : `${place}: ${message}`
  })
  throw new ScholiumError(
    'invalid_input',
    `${what} does not fit its schema: ${problems.join('; ')}`,
  )
}
