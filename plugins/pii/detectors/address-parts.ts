import { words } from '../engine/words.ts'

export const CAPITAL = "[A-Z\\L][\\l.'’\\-]*"
export const CITY = `${CAPITAL}([ \\-]${CAPITAL}){0,2}`
/** Within names of towns: `Frankfurt am Main`, `Mülheim an der Ruhr`, `Alphen aan den Rijn`. */
const WITHIN =
  '(am|an der|in der|im|ob der|vor der|aan den|aan de|op|sur|sous|en|lès|les|de|del|de la|la|di|do|da|dos) '
/** Behind a postal code of the continent. */
export const TOWN = `((’s|'s)-)?${CAPITAL}([ \\-]${CAPITAL}){0,2}( ${WITHIN.replace('è', '\\L')}${CAPITAL})?( \\([A-Z]{2}\\))?`
export const COUNTRY =
  '(,? (USA|U\\.S\\.A?\\.?|US|UK|United Kingdom|United States|Great Britain|England|Scotland|Wales|Northern Ireland|Ireland|Canada|Australia|' +
  'India|France|Deutschland|Germany|Schweiz|Switzerland|\\Lsterreich|Austria|Espa\\La|Spain|Italia|Italy|Nederland|Netherlands|Portugal|Belgium))?'
export const UK_CODE = '[A-Z]{1,2}\\d[A-Z0-9]? ?\\d[A-Z]{2}'

const CONTEXT = words(`
  address, addresses, home address, mailing address, street address, billing address, shipping address,
  postal address, invoice address, addr, lives at, live at, living at, lived at, lives on, lives in, residing, resides, resident,
  residence, reside at, located at, situated at, ship to, shipped to, deliver to, delivered to, delivery, mail to, parcel, package,
  send to, sent to, send it to, moved to, moved from, moving to, my home, home, house, office at, our office, visit, visit us,
  property, street, meet at, come to, drop off, pick up, stay at, staying at, anschrift, adresse, wohnt, wohnhaft,
  wohne, wohnort, lieferadresse, lieferanschrift, rechnungsadresse, rechnungsanschrift, wohnung, bezorgadres, leveradres, habite, demeurant, domicilié, domicile, dirección, domicilio, vive en, vivo en,
  reside en, calle, indirizzo, residente, abita, abito, endereço, morada, mora, moro, adres, woont, woon,
  zamieszkały, adress, bor på, osoite, asuu
`)

/** What all rules for addresses have in common. */
export const address = {
  type: 'street_address',
  title: 'Street address',
  level: 'CONFIDENTIAL',
  context: CONTEXT,
} as const
