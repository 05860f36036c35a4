/** Public lists of identifiers, and the type that finds each here. */
export interface Catalogue {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

const row = (line: string): readonly string[] => {
  const [identifier = '', type = '', note = ''] = line.split('|').map((cell) => cell.trim())
  return [
    identifier,
    type === '-'
      ? '–'
      : type
          .split(' ')
          .map((one) => `\`${one}\``)
          .join(' '),
    note,
  ]
}
const rows = (list: string): readonly (readonly string[])[] => list.trim().split('\n').map(row)

export const CATALOGUES: readonly Catalogue[] = [
  {
    name: 'Microsoft Presidio',
    rows: rows(`
CREDIT_CARD | credit_card | issuer range, length, Luhn
CRYPTO | crypto_wallet |
DATE_TIME | date_of_birth age | other dates are not personal
EMAIL_ADDRESS | email |
IBAN_CODE | iban |
IP_ADDRESS | ip_address |
MAC_ADDRESS | mac_address |
MEDICAL_LICENSE | us_dea |
NRP, LOCATION, PERSON, ORGANIZATION | person_name place organisation street_address | kinds of names are in the README of pii; the plugin presidio knows more
PHONE_NUMBER, PH_MOBILE_NUMBER, TR_PHONE_NUMBER | phone |
URL | - | addresses of pages are not personal; their user and password are a secret
US_BANK_NUMBER | bank_account | in context
ABA_ROUTING_NUMBER | us_bank_routing |
US_DRIVER_LICENSE, UK_DRIVING_LICENCE, IT_DRIVER_LICENSE, KR_DRIVER_LICENSE, DE_FUEHRERSCHEIN | driver_license | in context; formats overlap with everything else
US_ITIN | us_itin |
US_MBI | us_mbi |
US_NPI | us_npi |
US_SSN | us_ssn |
US_PASSPORT, UK_PASSPORT, ES_PASSPORT, IT_PASSPORT, IN_PASSPORT, KR_PASSPORT, DE_PASSPORT | passport | in context
UK_NHS | uk_nhs | modulus 11
UK_NINO | uk_nino |
UK_POSTCODE, DE_PLZ | street_address | as part of an address; alone it names no person
UK_VEHICLE_REGISTRATION, DE_KFZ, IN_VEHICLE_REGISTRATION, NG_VEHICLE_REGISTRATION, TR_LICENSE_PLATE | vehicle_plate | in context
ES_NIF, ES_NIE | es_nif |
IT_FISCAL_CODE | it_codice_fiscale |
IT_VAT_CODE | company_id | in context
IT_IDENTITY_CARD | it_identity_card national_id |
PL_PESEL | pl_pesel |
SG_NRIC_FIN | sg_nric |
SG_UEN | company_id | in context
AU_ABN, AU_ACN | au_abn company_id |
AU_TFN | au_tfn |
AU_MEDICARE | au_medicare |
CA_SIN | ca_sin |
IN_PAN | in_pan |
IN_AADHAAR | in_aadhaar |
IN_VOTER | national_id | in context
IN_GSTIN | company_id | by its structure
FI_PERSONAL_IDENTITY_CODE | fi_hetu |
KR_RRN, KR_FRN | kr_rrn national_id |
KR_BRN | company_id | in context
TH_TNIN | national_id | in context
TR_NATIONAL_ID | tr_tckn |
NG_NIN, PH_TIN | national_id | in context
ZA_ID_NUMBER | za_id |
SE_PERSONNUMMER | se_personnummer |
SE_ORGANISATIONSNUMMER | company_id | in context
DE_TAX_ID | de_tax_id |
DE_TAX_NUMBER | de_tax_number | in context
DE_ID_CARD | de_id_card |
DE_SOCIAL_SECURITY | de_social_insurance |
DE_HEALTH_INSURANCE, DE_LANR, DE_BSNR | national_id medical_record | in context
DE_VAT_ID | company_id | check digit
DE_HANDELSREGISTER | company_id | in context
`),
  },
  {
    name: 'python-stdnum',
    rows: rows(`
bic, iban, be.iban, me.iban, no.iban, imei, mac | swift_bic iban imei mac_address |
at.tin, at.vnr, be.nn, be.bis, be.ssn, es.dni, es.nie, es.nif, fr.nir, it.codicefiscale, dk.cpr, fi.hetu, no.fodselsnummer, se.personnummer, pl.pesel | national_id be_nrn es_nif fr_nir it_codice_fiscale dk_cpr fi_hetu no_fnr se_personnummer pl_pesel |
au.tfn, br.cpf, ca.sin, de.idnr, de.stnr, gb.nhs, ie.pps, in_.aadhaar, in_.pan, kr.rrn, mx.curp, nl.bsn, pt.nif, tr.tckimlik, za.idnr | au_tfn br_cpf ca_sin de_tax_id de_tax_number uk_nhs ie_pps in_aadhaar in_pan kr_rrn mx_curp nl_bsn pt_nif tr_tckn za_id |
us.ssn, us.itin, us.ein, us.rtn, us.atin, us.ptin | us_ssn us_itin us_ein us_bank_routing national_id |
other numbers of persons | national_id | in context, without their check digits
au.abn, br.cnpj, pl.nip | au_abn br_cnpj pl_nip |
lei, de.leitweg, eu.at_02, other VAT and register numbers | company_id | in context; the SEPA creditor identifier only as printed, without signs inside
ar.cbu | company_id | in context
fr.rcs | company_id | in context; the number, not the town of the register before it
QST of Canada | company_id | in context; with blanks around its letters only the ten digits are found
es.cups | national_id | in context and undivided; with blanks and hyphens it is not found
imsi, meid, isni | - | they do identify persons; not implemented
es.referenciacatastral | - | it identifies a property, and so its owner; not implemented
postal codes | street_address | as part of an address; alone they name no person
bitcoin | crypto_wallet |
isin, cusip, gb.sedol, figi, cfi, de.wkn | - | securities
isbn, issn, ismn, isan, isrc, isil, grid, ean, gs1_128, upi | - | works and articles
imo, iso6346, casrn, eu.ecnumber, eu.banknote, eu.nace, it.aic | - | ships, containers, substances, banknotes, classes and medicines
iso7064, luhn, verhoeff, damm | - | algorithms of check digits, no identifiers
`),
  },
  {
    name: 'Countries of the G20 in the lists of Google DLP and Microsoft Purview',
    rows: rows(`
Argentina: DNI, CUIT and CUIL | national_id | in context
Australia: TFN, Medicare, driver's licence, passport, bank account | au_tfn au_medicare driver_license passport bank_account |
Brazil: CPF, CNPJ, RG | br_cpf br_cnpj national_id |
Canada: SIN, health service number, PHIN, BC PHN, OHIP, passport | ca_sin national_id medical_record passport |
China: resident identity card, USCC, passport | cn_resident_id company_id passport |
France: NIR, CNI, tax number, passport, driver's licence | fr_nir national_id fr_tax_id passport driver_license |
Germany: identity card, tax id, tax number, insurance number, passport, driver's licence | de_id_card de_tax_id de_tax_number de_social_insurance passport driver_license |
India: Aadhaar, PAN, voter id, GSTIN, passport | in_aadhaar in_pan national_id company_id passport |
Indonesia: NIK, NPWP | national_id | in context
Italy: codice fiscale, identity card, passport, driver's licence | it_codice_fiscale it_identity_card passport driver_license |
Japan: my number, corporate number, residence card, passport, driver's licence, bank account | national_id company_id passport bank_account | in context
Mexico: CURP, RFC, clave de elector, passport | mx_curp national_id passport |
Russia: INN, SNILS, passport | national_id passport | in context
Saudi Arabia: national id, iqama | national_id | in context
South Africa: identity number, tax number | za_id national_id |
South Korea: RRN, foreigner registration, passport, driver's licence | kr_rrn national_id passport driver_license |
Turkey: TC kimlik, tax number | tr_tckn national_id |
United Kingdom: NHS, NINO, UTR, passport, driver's licence, electoral roll | uk_nhs uk_nino national_id passport driver_license | the electoral roll number is not told from other numbers
United States: SSN, ITIN, EIN, ATIN, PTIN, passport, driver's licence, DEA, NPI, MBI, routing number, account | us_ssn us_itin us_ein national_id passport driver_license us_dea us_npi us_mbi us_bank_routing bank_account |
European Union: VAT and tax numbers of the other members | company_id national_id | in context
`),
  },
]
