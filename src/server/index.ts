/** The HTTP API of an app, for your own server. `scholium serve` is made of it. */
export { createHandler, type Handler } from './create-handler.ts'
export { type Listening, type ListenOptions, listen } from './listen.ts'
export type { HandlerOptions, RunPolicy } from './server-options.ts'
export { type IssuedToken, type Role, roles, TokenFile } from './tokens.ts'
