import { alertingTo, receiverFor } from './rig.ts'
const closers: (() => Promise<void>)[] = []
const t = { after: (fn: () => Promise<void>) => void closers.push(fn) }
const receiver = await receiverFor(t)
const gateway = await alertingTo(t, [receiver], { enabled: true, webhook_url: receiver.url })
console.log((await gateway.rig.admin('GET', '/api/settings/alerting')).body)
await gateway.block()
await new Promise((r) => setTimeout(r, 2000))
console.log(gateway.rig.events.map((e) => e.type), receiver.requests.length)
console.log(await gateway.log())
for (const c of closers.reverse()) await c()
process.exit()
