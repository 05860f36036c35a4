const PROBLEMS = /^The (?:body is|settings are|options are) not valid: /

/** What the server says is wrong: `url: must …; types[0]: must ….`, or at the one place that it names. */
export function problemsOf({ message, param }) {
  if (!PROBLEMS.test(message)) return [{ param: param ?? '', message }]
  // A problem may have a semicolon of its own.
  const list = message
    .replace(PROBLEMS, '')
    .replace(/\.$/, '')
    .split(/; (?=[a-z_]+[^:; ]*: )/)
  return list.map((one) => {
    const [, at = '', text = one] = /^([a-z_]+[^: ]*): (.*)$/s.exec(one) ?? []
    return { param: at, message: text }
  })
}

/** Tells problems at their places, or the nearest place around them; returns those without one. */
export function complainAt(problems, places) {
  const told = new Map()
  const rest = problems.filter(({ param, message }) => {
    let at = param
    while (at !== '' && !places.has(at)) at = at.replace(/(?:^|\.)[^.[\]]+$|\[[^[\]]*\]$/, '')
    if (at === '') return true
    const text = at === param ? message : `${param.slice(at.length).replace(/^\./, '')} ${message}`
    told.set(at, [...(told.get(at) ?? []), text])
    return false
  })
  for (const [at, texts] of told) places.get(at).complain(texts.join('; '))
  const [first] = told.keys()
  places.get(first)?.focus()
  return rest
}

export function clear(places) {
  for (const place of places.values()) place.complain('')
}
