/**
 * What stands over a list of references: "References", "Sources:", "**Works cited**", and the same in languages that many
 * reports are written in.
 */
export const referenceHeading = new RegExp(
  `^[\\s#*_]*(?:\\d{1,2}\\.?\\s)?(?:${[
    'references?|sources?|bibliography|citations?|works cited|literature(?: cited)?|further reading',
    'literatur(?:verzeichnis|liste)?|quellen(?:verzeichnis|angaben)?|referenzen|einzelnachweise',
    'références?|bibliographie|sources citées',
    'referencias|bibliografía|fuentes|referências|bibliografia|fontes|riferimenti|fonti',
    'referenties|bronnen|literatuur|referenser|källor|kilder|lähteet|źródła|kaynakça|kaynaklar',
    'литература|источники|список литературы|джерела',
    '参考文献|参考资料|參考文獻|参考資料|引用文献|文献|来源|來源|出典|참고문헌|참고 문헌|출처|المراجع|संदर्भ',
  ].join('|')})[\\s#*_:：]*$`,
  'iu',
)
