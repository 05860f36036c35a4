/** Names and words to make values from. */
const list = (text: string): readonly string[] => text.trim().split(/\s+/)

export const GIVEN =
  list(`james mary robert patricia john jennifer michael linda david elizabeth william barbara sofia liam emma noah olivia
  hans petra jürgen anke pierre camille zoé josé lucía giulia marco anna piotr agnieszka lars freja mikko aino wei yuki priya rahul fatima omar`)
export const FAMILY =
  list(`smith johnson williams brown jones garcia miller davis rodriguez martinez anderson taylor thomas moore jackson o'brien
  müller schmidt schneider fischer dubois moreau lefebvre rossi bianchi ferrari kowalski nowak jansen devries lindqvist virtanen tanaka sharma khan`)
export const DOMAINS =
  list(`example.com example.org gmail.com outlook.com yahoo.co.uk corp.example.net mail.acme.io uni-berlin.de laposte.fr
  empresa.com.br beispiel.de kauppa.fi data-lab.ai sub.domain.example.co.jp my-company.tech health.gov.au proton.me icloud.com web.de`)
export const STREETS = list(
  `Maple Oak Pine Cedar Elm Washington Lincoln Church Park Highland Sunset Mill River Spring Lake Franklin Jefferson`,
)
export const CITIES = list(
  `Springfield Boston Denver Austin Portland Chicago Seattle Dallas Houston Phoenix Atlanta Madison`,
)

/** The letters of a name that go into an address. */
export const ascii = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
export const capital = (name: string): string => (name[0] as string).toUpperCase() + name.slice(1)
