/** Words and their opposites, as written; each row is read both ways. */
const pairs = `
increase decrease | increases decreases | increased decreased | increasing decreasing | increasingly decreasingly
higher lower | highest lowest | high low | greater smaller | greatest smallest | larger smaller | largest smallest | large small
longer shorter | longest shortest | older younger | oldest youngest | earlier later | early late | faster slower | stronger weaker | strong weak | strongly weakly
upregulated downregulated | up-regulated down-regulated | upregulation downregulation | upregulates downregulates | up-regulation down-regulation
improves worsens | improved worsened | improvement deterioration | improvements deteriorations | improving worsening
enhances impairs | enhanced impaired | enhance impair | enhancing impairing | enhancement impairment
promotes suppresses | promoted suppressed | promote suppress | promoting suppressing
activates inhibits | activated inhibited | activate inhibit | activation inhibition | activating inhibiting | activator inhibitor
stimulates blocks | stimulated blocked | stimulate block | induces prevents | induced prevented | induce prevent
accelerates slows | accelerated slowed | accelerate slow | gain loss | gained lost | gains losses
positive negative | positively negatively | positivity negativity | beneficial harmful | favorable unfavorable | favourable unfavourable | better worse | best worst
above below | maximum minimum | maximal minimal | majority minority | upstream downstream | proximal distal | anterior posterior
superior inferior | superiority inferiority | sensitive resistant | sensitivity resistance | benign malignant | acute chronic | dominant recessive
agonist antagonist | agonists antagonists | hypertension hypotension | hyperglycemia hypoglycemia | hypertrophy atrophy | hypomethylation hypermethylation | hypomethylated hypermethylated
overexpression silencing | overexpressed silenced | enrichment depletion | abundant scarce | elevated reduced | elevation reduction
short-term long-term | homozygous heterozygous | maternal paternal | primary secondary | internal external | inner outer | upper lower
northern southern | northeastern southwestern | eastern western | north south | east west | northwest southeast
won lost | winner loser | opened closed | founded dissolved | birth death | births deaths | succeeded preceded | successful unsuccessful
likely unlikely | able unable | necessary unnecessary | known unknown | effective ineffective | adequate inadequate | similar different | stable unstable | common rare | frequently rarely | widespread rare
more less | increases reductions | rapid slow | rapidly slowly | deeper shallower | wider narrower | thicker thinner
dependent independent | intracellular extracellular | symptomatic asymptomatic | invasive noninvasive | full-term preterm
`
const oneWay = `
raised lowered | reduces increases | reduced increased | reduce increase | reducing increasing | reduction increase | reductions increases
decline rise | declined rose | declines rises | fell rose | rose fell | attenuates amplifies | attenuated amplified | attenuate amplify
protects endangers | protective harmful | facilitates hinders | facilitated hindered | facilitate hinder | inhibition stimulation | fewer more | lost gained | enriched depleted
`

/** Words to their opposites. */
export const antonyms: ReadonlyMap<string, readonly string[]> = tableOf()

function tableOf(): Map<string, string[]> {
  const table = new Map<string, string[]>()
  const add = (from: string, to: string): void => {
    table.set(from, [...(table.get(from) ?? []), to])
  }
  for (const row of rowsOf(pairs)) {
    add(row[0], row[1])
    add(row[1], row[0])
  }
  for (const row of rowsOf(oneWay)) add(row[0], row[1])
  return table
}

function rowsOf(text: string): [string, string][] {
  return text
    .split(/[|\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => {
      const [one = '', other = ''] = row.split(' ')
      return [one, other]
    })
}
