import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { validator } from '../engine/validator.ts'
import { words } from '../engine/words.ts'

const SIGN = '[\\-+]?'

export const coordinates: Detector = {
  type: 'coordinates',
  title: 'Geographic coordinates',
  level: 'CONFIDENTIAL',
  check: 'pair in range with four decimals or a degree sign; else in context',
  patterns: [
    `\\d{1,3}\\.\\d{2,15}°? ?[NSns]?[,;/]? {0,2}${SIGN}\\d{1,3}\\.\\d{2,15}(°? ?[EWewOo])?`,
    `\\d{1,3}\\.\\d{2,15}°( ?[NSEWnsew])?`,
    `\\d{1,3}° ?\\d{1,2}['’] ?(\\d{1,2}(\\.\\d{1,6})?("|''|’’))? ?[NSns]?[,;]? {0,2}(\\d{1,3}° ?\\d{1,2}['’] ?(\\d{1,2}(\\.\\d{1,6})?("|''|’’))? ?[EWewOo])?`,
    `\\d{1,3}\\.\\d{3,15}`,
  ],
  context: words(`
    coordinates, coordinate, coords, coord, gps, latitude, longitude, lat, lng, lon, long, latlng, latlong, geo,
    geolocation, location, located at, position, koordinaten, breitengrad, längengrad, standort, coordonnées,
    coordenadas, latitud, longitud, coordinate geografiche, latitudine, longitudine, coördinaten
  `),
  judge(m) {
    const { value } = m
    const near = m.contextBefore()
    if (value.includes('°')) return near > 0 || /[NSEWO]/i.test(value) ? 0.85 : 0
    const [first, second] = value.split(/[^\d.+-]+/).filter((part) => part !== '')
    // `93.120.181`: a version, an IP address.
    if (second === undefined && /^\.\d/.test(m.following(2))) return 0
    // `1:22.345`, of a lap.
    if (m.before(1) === ':' && /\d/.test(m.before(2))) return 0
    if (second === undefined) return near > 0.85 && Math.abs(Number(first)) <= 180 ? 0.6 : 0
    const sign = m.before(1) === '-' ? '-' : ''
    if (!validator.isLatLong(`${sign}${first},${second}`)) return 0
    if (near > 0.7) return 0.85
    const isPrecise = /\.\d{4,}\D/.test(value) && /\.\d{4,}$/.test(value)
    return isPrecise && Math.abs(Number(first)) >= 10 && /,/.test(value) && !isList(m) ? 0.55 : 0
  },
}

/** More than two numbers in a row are data. */
function isList(m: Candidate): boolean {
  return /[\d.],? ?-?$/.test(m.text.slice(Math.max(0, m.start - 4), m.start)) || /^[,;]? ?-?\d/.test(m.following(4))
}
