/**
 * What people call numbers of persons and companies in general, put together from kinds and nouns: `tax identification
 * code`, `numéro d'assuré social`. Names of single countries are in `national-names.ts`.
 */

const list = (text: string): string[] => text.split(',').map((part) => part.trim())

const combine = (kinds: string, nouns: string, join = ' '): string[] =>
  list(kinds).flatMap((kind) =>
    list(nouns).flatMap((noun) => {
      const name = `${kind}${join}${noun}`
      // Names of JSON members have a blank there.
      return name.includes("d'") ? [name, name.replaceAll("d'", 'd ')] : [name]
    }),
  )

/** `nif`, also as `n.i.f`. */
const dotted = (names: string): string[] => list(names).flatMap((name) => [name, [...name].join('.')])

/** Only with full stops: without them some are words. */
const onlyDotted = (names: string): string[] => list(names).map((name) => [...name].join('.'))

/** `Estonian ID code`, `Peruvian ID`. */
const NATIONALITIES = `
  albanian, american, argentine, argentinian, australian, austrian, bahraini, bangladeshi, belarusian, belgian, bolivian, bosnian, brazilian,
  british, bulgarian, canadian, chilean, chinese, colombian, costa rican, croatian, cuban, cypriot, czech, danish, dominican, dutch,
  ecuadorian, egyptian, estonian, filipino, finnish, french, georgian, german, ghanaian, greek, guatemalan, hungarian, icelandic,
  indian, indonesian, iranian, iraqi, irish, israeli, italian, japanese, jordanian, kazakh, kenyan, korean, kuwaiti, latvian, lebanese,
  lithuanian, luxembourg, malaysian, maltese, mauritian, mexican, moldovan, moroccan, nepali, nigerian, norwegian, omani, pakistani, panamanian,
  paraguayan, peruvian, philippine, polish, portuguese, qatari, romanian, russian, saudi, serbian, singapore, slovak, slovenian,
  rwandan, south african, spanish, sri lankan, swedish, swiss, taiwanese, thai, tunisian, turkish, ugandan, ukrainian, uruguayan, venezuelan,
  vietnamese, zambian, zimbabwean`

export const PERSONAL_WORDS: readonly string[] = [
  ...combine(
    `tax, tax payer, taxpayer, tax identity, tax registration, fiscal, personal, personal identity, identity, identification,
    national identity, national identification, citizen, resident, social security, social insurance, national insurance,
    health insurance, medical insurance, employment insurance, pension, birth, foreigner, alien, voter, electoral, population register`,
    'number, numbers, no, code, codes, id, ids, identifier, card number',
  ),
  ...combine(
    `steuer, personen, identitäts, identifikations, sozialversicherungs, versicherten, versicherungs, bürger, ausweis,
    personalausweis, patienten, rentenversicherungs, krankenversicherungs`,
    'nummer, nr, kennung',
    '',
  ),
  ...combine(
    'numéro, numero, n°, code, identifiant',
    `fiscal, national, d'identification, d'identification nationale, d'identification fiscale, d'identité, personnel,
    de sécurité sociale, d'assuré, d'assuré social, d'assurance sociale, de contribuable, d'identification personnel`,
  ),
  ...combine(
    'número, numero, nº, clave, código, codigo',
    `de identificación, de identidad, de identificación fiscal, de identificación tributaria, de identificación personal,
    único de identificación, único de identificación tributaria, fiscal, tributario, de contribuyente, de afiliado, de afiliación,
    de seguridad social, de identificação, de identificação tributária, único de identificação tributária,
    único de identificação tributaria, de identificação civil, de segurança social, de contribuinte, de beneficiário`,
  ),
  ...combine('numero, codice', 'fiscale, identificativo, personale, di previdenza sociale, di identificazione'),
  ...combine('burger, persoons, identiteits, belasting, sociale zekerheids', 'nummer', ''),
  ...combine(NATIONALITIES, 'id'),
  ...combine(
    'malta, kenya, uganda, rwanda, ghana, nepal, qatar, uae, kuwait, bahrain, oman, cyprus, montenegro, zimbabwe, mauritius',
    'id',
  ),
  ...onlyDotted(
    `afm, ahv, amka, avs, bsn, cnh, cnic, cnp, egn, егн, itin, jmbg, mbi, naf, nas, nhs, nip, nir, nis, nit, nric, nss, nuss, oib, pesel, pis,
    pps, ppsn, ruc, run, rut, sin, tckn, tfn, tin, utr`,
  ),
  ...dotted('nif, nie, dni, cpf, rfc, curp, cuit, cuil, cif, nin, npi, nup'),
]

export const COMPANY_WORDS: readonly string[] = [
  ...combine(
    `company, business, organisation, organization, enterprise, trade register, commercial register, company register,
    business register, company registration, business registration, organisation registration, vat, vat registration, gst, excise,
    employer, establishment, activity establishment, association, org`,
    'number, numbers, no, code, id, identifier',
  ),
  ...combine(
    'handelsregister, firmen, unternehmens, umsatzsteuer, mehrwertsteuer, betriebs, wirtschafts',
    'nummer, nr',
    '',
  ),
  ...combine('numéro, numero, n°', "d'entreprise, de tva, d'accise, de registre de commerce, rcs, d'immatriculation"),
  ...combine(
    'número, numero, nº, código, codigo',
    'de empresa, de iva, de registro mercantil, de actividad y establecimiento',
  ),
  ...combine('numero, codice', 'di partita iva, iva, rea, impresa'),
  ...onlyDotted('ein, abn, krs'),
  ...list(
    `partita i.v.a, taxe sur la valeur ajoutée, umsatzsteuer-identifikationsnummer, arvonlisäveronumero, arvonlisävero, tpv, n° tva, tva no,
    pievienotās vērtības nodokļa, αριθμός εγγραφής φ.π.α, φπα, ддс, идентификационен номер по ддс, унп, clave bancaria uniforme,
    register of economic units, rejestr gospodarki narodowej, wertpapierkennnummer, ico, ičo, trade registration number`,
  ),
]
