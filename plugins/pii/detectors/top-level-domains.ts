/**
 * Delegated top-level domains of more than six letters (IANA root zone). Other long words are methods or properties,
 * as in `x@self.weights`.
 */
const LONG: ReadonlySet<string> = new Set(
  (
    'abogado abudhabi academy accenture accountant accountants agakhan airforce alfaromeo alibaba allfinanz ' +
    'allstate americanexpress americanfamily amsterdam analytics android apartments aquarelle associates athleta ' +
    'attorney auction audible auspost avianca banamex bananarepublic barcelona barclaycard barclays barefoot ' +
    'bargains baseball basketball bauhaus bentley bestbuy blackfriday blockbuster bloomberg bnpparibas boehringer ' +
    'booking boutique bradesco bridgestone broadway brother brussels builders business calvinklein capetown capital ' +
    'capitalone caravan careers catering catholic channel charity chintai christmas cipriani citadel cityeats ' +
    'cleaning clinique clothing clubmed college cologne comcast commbank community company compare computer ' +
    'construction consulting contact contractors cooking cookingchannel corsica country coupons courses creditcard ' +
    'creditunion cricket cruises cuisinella delivery deloitte democrat dentist diamonds digital directory discount ' +
    'discover domains download education engineer engineering enterprises equipment ericsson etisalat eurovision ' +
    'exchange exposed express extraspace fairwinds farmers fashion feedback ferrari ferrero fidelity finance ' +
    'financial firestone firmdale fishing fitness flights florist flowers foodnetwork football forsale foundation ' +
    'fresenius frogans frontdoor frontier fujitsu furniture gallery genting godaddy goldpoint goodyear grainger ' +
    'graphics grocery guardian guitars hamburg hangout hdfcbank healthcare helsinki hisamitsu hitachi holdings ' +
    'holiday homedepot homegoods homesense hospital hosting hoteles hotmail hyundai immobilien industries infiniti ' +
    'institute insurance international investments ipiranga ismaili istanbul jewelry jpmorgan juniper kerryhotels ' +
    'kerrylogistics kerryproperties kitchen komatsu kuokgroup lacaixa lamborghini lancaster landrover lanxess ' +
    'lasalle latrobe leclerc lifeinsurance lifestyle lighting limited lincoln lplfinancial lundbeck management ' +
    'marketing markets marriott marshalls maserati mckinsey melbourne memorial merckmsd microsoft mitsubishi ' +
    'monster mortgage motorcycles netbank netflix network neustar nextdirect northwesternmutual observer okinawa ' +
    'olayangroup oldnavy organic origins panasonic partners passagens pharmacy philips photography pictures pioneer ' +
    'playstation plumbing politie pramerica productions progressive properties property protection prudential ' +
    'realestate realtor recipes redstone redumbrella reliance rentals republican restaurant reviews rexroth ' +
    'richardli saarland samsclub samsung sandvik sandvikcoromant schaeffler schmidt scholarships schwarz science ' +
    'security services shangrila shiksha shopping showtime singles softbank software solutions staples statebank ' +
    'statefarm stcgroup stockholm storage supplies support surgery systems tatamotors technology temasek theater ' +
    'theatre tickets tiffany toshiba trading training travelchannel travelers travelersinsurance university ' +
    'vacations vanguard ventures verisign versicherung vlaanderen volkswagen walmart wanggou watches weather ' +
    'weatherchannel website wedding whoswho williamhill windows winners wolterskluwer woodside xfinity yamaxun ' +
    'yodobashi yokohama youtube zuerich'
  ).split(' '),
)

/** Common top-level domains that are not delegated. */
const PRIVATE: ReadonlySet<string> = new Set([
  'example',
  'localhost',
  'localdomain',
  'invalid',
  'internal',
  'corporate',
])

/** File extensions, as in `logo@2x.png`; none of them is a top-level domain. */
const FILES: ReadonlySet<string> = new Set(
  'png jpg jpeg gif svg webp ico bmp avif js mjs cjs jsx ts tsx css scss html htm json xml yaml yml txt pdf csv log lock'.split(
    ' ',
  ),
)

/** Whether a domain may end with this label. Accepts all short ones, because country codes and new domains change. */
export function isDomainEnding(label: string): boolean {
  const ending = label.toLowerCase()
  if (ending.length <= 6) return ending.length >= 2 && !FILES.has(ending)
  return ending.startsWith('xn--') || LONG.has(ending) || PRIVATE.has(ending) || isForeign(ending)
}

/** No Latin letters: names in code do not look like this. */
const isForeign = (ending: string): boolean => /^[^\u0000-\u024f]+$/.test(ending)
