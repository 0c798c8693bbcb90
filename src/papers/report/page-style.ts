/** Parts of the page: prose, evidence, tables, bars. */
const partsStyle = `
.prose { font: 1.15rem/1.7 var(--reading); max-width: 38rem; }
.prose > * + * { margin-top: 1em; }
.prose ul { list-style: disc; padding-left: 1.2em; }
.prose li + li { margin-top: .4em; }
.prose code { font-size: .85em; background: var(--wash); padding: .1em .3em; border-radius: 3px; }
.cites { font: 600 .72em var(--plain); vertical-align: .25em; white-space: nowrap; color: var(--soft); }
.cites a { text-decoration: none; padding: .2em .12em; }
.cites a:hover { text-decoration: underline; }
.mark { font: 600 .7em var(--plain); vertical-align: .25em; margin-left: .35em; padding: .1em .45em; border-radius: 1em; text-decoration: none; }
.chip { display: inline-block; font: 500 .78rem/1.5 var(--plain); padding: .05em .65em; border-radius: 1em; max-width: 100%; }
.papers .chip { white-space: nowrap; }
.chip .judge { font-weight: 400; }
.chip.good, .mark.good { color: var(--good); background: var(--good-wash); }
.chip.part, .mark.part { color: var(--part); background: var(--part-wash); }
.chip.bad, .mark.bad { color: var(--bad); background: var(--bad-wash); }
.chip.open, .mark.open { color: var(--open); background: var(--open-wash); }
.number { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums lining-nums; margin-right: .6em; }
.reason { color: var(--soft); font-size: .9rem; margin-top: .2rem; max-width: 60ch; }

.evidence { margin-top: .6rem; display: grid; gap: .75rem; }
.evidence li { border-left: 2px solid var(--line); padding-left: 1rem; max-width: 60ch; }
.evidence blockquote { font: 1rem/1.6 var(--reading); quotes: "“" "”"; }
.evidence blockquote::before { content: open-quote; }
.evidence blockquote::after { content: close-quote; }
.place { font-size: .85rem; color: var(--soft); margin-top: .15rem; }
.place a { color: inherit; }
.place .page { color: var(--link); font-weight: 600; }
.stances { display: grid; gap: 1.4rem; }
.who { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1em .4em; }
.sign { font-weight: 700; width: 1.1em; }
.sign.supports { color: var(--good); }
.sign.differs, .sign.disputes { color: var(--bad); }

.point + .point { margin-top: 2.75rem; padding-top: 2.5rem; border-top: 1px dashed var(--line); }
.point > h3 { font-size: 1.3rem; max-width: 34ch; margin-bottom: 1.1rem; text-indent: -1.6em; padding-left: 1.6em; text-wrap: pretty; max-width: 46ch; }
.point > h3 .number { display: inline-block; text-indent: 0; width: 1.6em; margin: 0; }
.point > .stances, .point > .dim { margin-left: 2.08rem; }
.context { color: var(--soft); max-width: 60ch; margin: -.4rem 0 1.25rem 2.08rem; }
.sides { display: grid; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.side { background: var(--sheet); padding: 1.25rem 1.4rem 1.5rem; min-width: 0; }
.side h4 { font-size: 1.08rem; margin-bottom: 1rem; display: flex; gap: .75rem; text-wrap: pretty; }
.letter { flex: none; font: 600 .8rem/1.6rem var(--plain); width: 1.6rem; height: 1.6rem; text-align: center; border-radius: 50%; background: var(--wash); color: var(--soft); }
@media (min-width: 46rem) { .sides { grid-template-columns: 1fr 1fr; } }

details > summary { cursor: pointer; }
.claims { margin-top: 2rem; border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); max-width: 44rem; }
.claims summary { padding: .8rem 1.2rem; font-weight: 500; }
.claims summary .dim { display: block; font-weight: 400; font-size: .88rem; padding-left: 1.1rem; }
.claims > ol { padding: .5rem 1.2rem 1.4rem; }
.plain > li + li { margin-top: 1.4rem; }
.plain > li > p:first-child { max-width: 62ch; }
.paper { border-top: 1px solid var(--line); }
.paper summary { padding: 1rem 0; display: grid; grid-template-columns: 1fr auto; gap: .15rem 1rem; list-style: none; }
.paper summary::-webkit-details-marker { display: none; }
.paper summary::after { content: "+"; grid-area: 1 / 2; font: 300 1.4rem/1.2 var(--plain); color: var(--soft); }
.paper[open] summary::after { content: "–"; }
.paper summary:hover h3 { color: var(--link); }
.paper summary .sub { grid-column: 1; font-size: .9rem; }
.paper > p { margin-bottom: .5rem; }
.paper h4 { margin: 1.6rem 0 .8rem; font-family: var(--plain); font-size: .8rem; text-transform: uppercase; letter-spacing: .07em; color: var(--soft); }
.paper[open] { padding-bottom: 2rem; }

table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .8rem .9rem .8rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { font-size: .8rem; color: var(--soft); padding-block: .4rem; white-space: nowrap; vertical-align: bottom; }
thead button { font: inherit; color: inherit; background: none; border: 0; padding: .2rem 0; cursor: pointer; }
thead button:hover { color: var(--link); }
thead button::after { content: "↕"; opacity: .45; margin-left: .35em; }
th[aria-sort] button { color: var(--ink); font-weight: 600; }
th[aria-sort=ascending] button::after { content: "↑"; opacity: 1; }
th[aria-sort=descending] button::after { content: "↓"; opacity: 1; }
.papers td { font-variant-numeric: tabular-nums; }
.papers td:not([data-name=Paper]) { overflow-wrap: normal; }
.papers .title { display: block; font: 600 1.02rem/1.4 var(--reading); color: var(--ink); }
.papers a.title { text-decoration-color: transparent; }
.papers a.title:hover { text-decoration-color: currentColor; }
.sub { font-size: .87rem; }
.papers .sub { display: block; margin-top: .15rem; }
.links a { margin-right: .6em; }
.share { display: inline-flex; align-items: center; gap: .6em; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bar { width: 4.5rem; height: 5px; border-radius: 3px; overflow: hidden; }
.bar .track { fill: var(--line); }
.bar .fill { fill: var(--link); }
@media (max-width: 44rem) {
  .papers, .papers tbody { display: block; }
  .papers thead, .papers thead tr { display: flex; flex-wrap: wrap; gap: 0 1rem; }
  .papers thead th { border: 0; padding: 0; }
  .papers tr { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem 1rem; padding: 1rem 0; border-bottom: 1px solid var(--line); }
  .papers thead tr { padding: .5rem 0; }
  .papers td { border: 0; padding: 0; }
  .papers td[data-name=Paper] { order: -1; flex: 1 0 100%; }
  .papers td[data-value=""] { display: none; }
  .papers td[data-name=Pages]::after { content: " pages"; color: var(--soft); }
  .papers .bar { width: 2rem; }
  .papers tr { column-gap: .7rem; }
  .papers .share { gap: .4em; }
}

.scroller { position: relative; overflow-x: auto; margin-inline: -.25rem; padding-inline: .25rem; }
.matrix thead th { text-align: center; padding-inline: .35rem; min-width: 2.9rem; }
.matrix thead th:first-child { text-align: left; padding-left: 0; }
.matrix thead a { text-decoration: none; font-weight: 600; }
.matrix .name { display: block; font-weight: 400; font-size: .75rem; color: var(--soft); white-space: normal; max-width: 7rem; margin: auto; line-height: 1.3; }
.matrix th:first-child { position: sticky; left: 0; background: var(--page); z-index: 1; }
.matrix thead th { overflow-wrap: anywhere; }
.matrix tbody th { min-width: 9.5rem; max-width: 26rem; line-height: 1.45; }
.matrix tbody th a { color: inherit; text-decoration-color: transparent; }
.matrix tbody th a:hover { text-decoration-color: currentColor; }
.matrix .group th { font-size: .78rem; text-transform: uppercase; letter-spacing: .07em; color: var(--soft); padding: 1.5rem 0 .4rem; }
tbody:last-child > tr:last-child > * { border-bottom: 0; }
.matrix td { text-align: center; vertical-align: middle; padding: .5rem .25rem; }
.cell { display: inline-block; min-width: 2.5rem; padding: .25rem .4rem; border-radius: 6px; font-weight: 700; line-height: 1.4; text-decoration: none; border: 1px solid transparent; }
.cell sup { font: 500 .68em var(--plain); margin-left: .25em; vertical-align: .4em; }
.cell.good { color: var(--good); background: var(--good-wash); }
.cell.part { color: var(--part); background: var(--part-wash); }
.cell.bad { color: var(--bad); background: var(--bad-wash); }
.cell.open { color: var(--open); background: var(--open-wash); }
.cell.differs, .cell.disputes { background: none; border-color: currentColor; }
a.cell:hover { border-color: currentColor; }
@media (max-width: 44rem) {
  .matrix .name { display: none; }
  .matrix tbody th { min-width: 7.75rem; max-width: 9rem; font-size: .87rem; }
  .matrix thead th { min-width: 2.35rem; padding-inline: 0; }
  .matrix td { padding-inline: .1rem; }
  .matrix .cell { min-width: 2.1rem; padding-inline: .15rem; }
}
.none { color: var(--soft); opacity: .6; }
.legend { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-top: 1.25rem; font-size: .82rem; color: var(--soft); }
.legend div { display: flex; align-items: center; gap: .45em; }
.legend dt { font-weight: 700; }
.legend .cell { min-width: 0; padding: 0 .4rem; }
dt.good, .coverage .good { color: var(--good); } dt.part, .coverage .part { color: var(--part); }
dt.bad, .coverage .bad { color: var(--bad); } dt.open, .coverage .open { color: var(--open); }

.references li { display: grid; grid-template-columns: 2.6rem minmax(0, 1fr); padding: .55rem 0; max-width: 46rem; }
.kind + * { margin-top: 0; }
li .kind { display: inline; font-size: .75rem; margin-right: .5em; }
section > h3 + ul { margin-top: 1rem; } section > ul + h3 { margin-top: 2.25rem; }
.tiers > li + li { margin-top: .9rem; }
.coverage + .coverage { margin-top: 2.25rem; }
.coverage svg { display: block; width: 100%; height: 14px; margin: .7rem 0 .6rem; border-radius: 4px; }
.coverage rect { fill: currentColor; }
.coverage rect.supported { opacity: .62; } .coverage rect.contradicted { opacity: .8; } .coverage rect.notFound { opacity: .6; } .coverage rect.unavailable { opacity: .6; }
.coverage ul { display: flex; flex-wrap: wrap; gap: .3rem 1.75rem; font-size: .88rem; font-weight: 500; }
.coverage .dim { font-weight: 400; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0 2rem; }
.figures div { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.figures dt { color: var(--soft); } .figures dt { overflow-wrap: break-word; min-width: 0; } .figures dd { overflow-wrap: break-word; text-align: right; font-variant-numeric: tabular-nums; min-width: 0; }
`

/** The page as a whole: type, columns, widths, print. */
const layoutStyle = `
* { box-sizing: border-box; }
html { font-size: 100%; scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.6 var(--plain); overflow-wrap: anywhere; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .18em; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3, h4 { font-family: var(--reading); line-height: 1.25; text-wrap: balance; margin: 0; font-weight: 600; }
h1 { font-size: clamp(1.75rem, 1.2rem + 2.4vw, 2.75rem); letter-spacing: -.015em; max-width: 24ch; }
h2 { font-size: 1.6rem; letter-spacing: -.01em; margin-bottom: 1.25rem; }
h3 { font-size: 1.15rem; }
h4 { font-size: 1rem; }
p { margin: 0; }
ul, ol, dl, dd, figure, blockquote { margin: 0; padding: 0; }
ul, ol { list-style: none; }
.dim, .note, .sub { color: var(--soft); }
.note { margin: -.75rem 0 1.25rem; max-width: 60ch; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--sheet); padding: .5rem 1rem; z-index: 2; }
.top, .frame, footer { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
.top { padding-top: clamp(2.5rem, 6vw, 5rem); padding-bottom: clamp(2rem, 4vw, 3rem); }
.kind { font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); margin-bottom: .9rem; }
.category { text-transform: none; letter-spacing: 0; border-left: 1px solid var(--line); margin-left: .5em; padding-left: .75em; }
.outcome { margin: 1.25rem 0 .5rem; }
.outcome .chip { font-size: .9rem; padding: .2em .8em; }
.engine { color: var(--soft); max-width: 66ch; }
.head-figures { display: flex; flex-wrap: wrap; gap: 1.25rem 2.75rem; margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.head-figures dt { font-size: .8rem; color: var(--soft); }
.head-figures dd { font: 600 1.5rem/1.3 var(--reading); font-variant-numeric: tabular-nums lining-nums; }
.head-figures small { font: .85rem var(--plain); color: var(--soft); }
nav { font-size: .9rem; border-block: 1px solid var(--line); padding: .75rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; }
nav a { color: var(--soft); text-decoration: none; display: inline-block; padding: .2rem 0; }
nav a:hover { color: var(--link); }
main { min-width: 0; }
main > section { padding: 3rem 0; border-top: 1px solid var(--line); }
main > section:first-child { border-top: 0; padding-top: 2rem; }
footer { padding-block: 2rem 4rem; color: var(--soft); font-size: .85rem; }
:target { background: var(--mark); box-shadow: 0 0 0 .5rem var(--mark); border-radius: 2px; }
main > section:target, .paper:target, .point:target { background: none; box-shadow: none; }
@media (min-width: 66rem) {
  .top, .frame, footer { padding-inline: 2.5rem; }
  .frame { display: grid; grid-template-columns: 11.5rem minmax(0, 1fr); gap: 4rem; }
  nav { border: 0; padding: 0; }
  nav ul { position: sticky; top: 2rem; flex-direction: column; padding-top: 2.35rem; }
  footer { padding-left: calc(2.5rem + 15.5rem); }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --page: #fff; --sheet: #fff; --ink: #000; --soft: #444; --line: #bbb; --wash: #f4f4f4; --link: #000; --mark: transparent;
    --good: #1d5737; --part: #6d4700; --bad: #8f261a; --open: #444; --good-wash: #fff; --part-wash: #fff; --bad-wash: #fff; --open-wash: #fff; }
  html { font-size: 9.5pt; }
  nav, .skip { display: none; }
  .frame { display: block; }
  main > section { padding: 1.25rem 0; }
  .stance, .evidence li, .plain > li, tr, .references li { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .scroller { overflow: visible; }
}
`

/** Colours by use, light and dark. */
const colours = `
:root {
  color-scheme: light dark;
  --page: #faf9f6; --sheet: #ffffff; --ink: #22252a; --soft: #5d636c; --line: #e3e0d8; --wash: #f2f0ea;
  --link: #1f5673; --mark: #fff3cf;
  --good: #22643f; --good-wash: #e3f1e8; --part: #7d5200; --part-wash: #faeed3;
  --bad: #a02f22; --bad-wash: #fae5e1; --open: #525a66; --open-wash: #eaecef;
  --reading: Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Cambria, Georgia, serif;
  --plain: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15171a; --sheet: #1c1f23; --ink: #e6e3dc; --soft: #a0a6af; --line: #30343a; --wash: #23272c;
    --link: #8cc4e4; --mark: #3d3620;
    --good: #86d3a5; --good-wash: #1c3427; --part: #e5bd6a; --part-wash: #3a2f17;
    --bad: #f19c8f; --bad-wash: #42221e; --open: #b0b7c2; --open-wash: #2b3037;
  }
}
`

/** The page's style; nothing is loaded from elsewhere. */
export const pageStyle = `${colours}${layoutStyle}${partsStyle}`
