/** The page as a whole: type, columns, widths, paper. */
export const layoutStyle = `
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
