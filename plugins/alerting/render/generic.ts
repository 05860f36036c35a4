/** Why a signing secret is invalid; undefined if it is valid. */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith('whsec_')) return undefined
  const encoded = secret.slice('whsec_'.length)
  const bytes = Buffer.from(encoded, 'base64')
  const exact = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  return exact && bytes.length >= 24 && bytes.length <= 64
    ? undefined
    : 'must be whsec_ and the base64 of 24 to 64 random bytes'
}
