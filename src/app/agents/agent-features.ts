/** Parts of the program by name; `false` switches one off: `{reasoning: false}`. */
export type AgentFeatures = Readonly<Record<string, boolean>>
