/** Endings longer than six letters that are domains, not methods or properties: `x@self.weights` is code. */
const LONG: ReadonlySet<string> = new Set(
  (
    'example localhost localdomain invalid internal museum travel website digital company solutions services network ' +
    'networks systems technology software academy community consulting education engineering finance financial foundation ' +
    'healthcare holdings institute international limited management marketing partners photography productions properties ' +
    'studios support training ventures business capital cleaning clothing computer construction directory enterprises ' +
    'exchange graphics hospital insurance investments industries lighting magazine organic pictures recipes rentals repair ' +
    'security shopping university vacations watches wedding contact corporate domain company'
  ).split(' '),
)

/** Endings of file names, as in `logo@2x.png`; none of them is a domain. */
const FILES: ReadonlySet<string> = new Set(
  'png jpg jpeg gif svg webp ico bmp avif js mjs cjs jsx ts tsx css scss html htm json xml yaml yml txt pdf csv log lock'.split(
    ' ',
  ),
)

/** True when a name may end so. Short endings pass unseen: country codes and new ones come and go. */
export function isDomainEnding(label: string): boolean {
  const ending = label.toLowerCase()
  if (ending.length <= 6) return ending.length >= 2 && !FILES.has(ending)
  return ending.startsWith('xn--') || LONG.has(ending)
}
