/** In which turn of the event loop each of so many calls settles. */
export async function turnsOf(wait: () => Promise<unknown> | undefined, count: number): Promise<number[]> {
  let turn = 0
  let counts = true
  const tick = () => {
    turn++
    if (counts) setImmediate(tick)
  }
  setImmediate(tick)
  const settled = async () => {
    await wait()
    return turn
  }
  const turns = await Promise.all(Array.from({ length: count }, settled))
  counts = false
  return turns
}
