import { layoutStyle } from './style-layout.ts'
import { partsStyle } from './style-parts.ts'

/** Colours by their use, in light and in dark. */
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

/** How the page looks: nothing of it is loaded from elsewhere. */
export const pageStyle = `${colours}${layoutStyle}${partsStyle}`
