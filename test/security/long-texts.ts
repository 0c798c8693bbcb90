/** What is repeated, separated by `§`: patterns with repetitions go through it again and again. */
const repeated = [
  '[§(§{§<§"§\'§`§\\§|§#§*§_§~§-§=§!§.§,§:§;§/§%§&§$§@§ §\t§\n§\r\n§0§1,§1.§a§A§é§😀§\u0301',
  'a §A. §a.b.§a-§a@§1-§\n\n§\n § \n§> §- §\n- §\n1. §\n#§\n|§|a',
  '[1]§[1](§[a](<§![§[^1]: a\n§[a]: §](§](<§<a §<a href=§<!--§</a>§<a>',
  '``§```\n§~~~\n§` `` §**a§*a §_a_§“a” §“a§"a" §(a§[a§{"a":§[{§"a,',
  'https://a.b/§www.§http://§10.1000/§doi:§\n[1] §et al. § and § of §a = §10 km ',
  '1e§1/§1-§10⁻§1 of §10,000 §about 1 §%41§\\u0041§&#65;§${§{{§{%§@a{b,§TY  - §\nTY  - a§<think>§</think>',
  "<tool_call>§<|§Action: a\n§$(§$((§&&§| a §'a' §\\\n§ #§<a\n§\u00ad§\0",
].flatMap((line) => line.split('§'))

/** What is repeated within a text that ends otherwise, so that no pattern comes to its end. */
const enclosed = [...'`[(<"{ \n0a.=/-!,']

/** Hostile texts of some length in UTF-16 units, each with what it repeats. */
export function hostileTexts(length: number): readonly (readonly [what: string, text: string])[] {
  const repeat = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length))
  return [
    ...repeated.map((piece) => [JSON.stringify(piece), repeat(piece, length)] as const),
    ...enclosed.map((piece) => {
      const text = `a ${repeat(piece, length - 5)} \0x`
      return [`${JSON.stringify(piece)}, enclosed`, text] as const
    }),
  ]
}
