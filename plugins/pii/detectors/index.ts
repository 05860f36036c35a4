/** All detectors; the first wins if scores are equal. */
import type { Detector } from '../engine/detector.ts'
import { age, ageBeside, ageWithUnit } from './age.ts'
import { auAbn } from './au-abn.ts'
import { auMedicare } from './au-medicare.ts'
import { auTfn } from './au-tfn.ts'
import { bankAccount } from './bank-account.ts'
import { beNrn } from './be-nrn.ts'
import { brCnpj } from './br-cnpj.ts'
import { brCpf } from './br-cpf.ts'
import { caSin } from './ca-sin.ts'
import { chAhv } from './ch-ahv.ts'
import { cnResidentId } from './cn-resident-id.ts'
import { coordinates } from './coordinates.ts'
import { creditCard } from './credit-card.ts'
import { creditCardMisread, creditCardSpoken } from './credit-card-letters.ts'
import { creditCardMasked } from './credit-card-masked.ts'
import { creditCardOdd, creditCardWithExpiry } from './credit-card-odd.ts'
import { creditCardInParts, creditCardInWords } from './credit-card-parts.ts'
import { cryptoWallet } from './crypto-wallet.ts'
import { dateOfBirth } from './date-of-birth.ts'
import { deIdCard } from './de-id-card.ts'
import { deSocialInsurance } from './de-social-insurance.ts'
import { deTaxId } from './de-tax-id.ts'
import { deTaxNumber } from './de-tax-number.ts'
import { dictatedId, dictatedLicence } from './dictated.ts'
import { dkCpr } from './dk-cpr.ts'
import { driverLicense, driverLicenseLetters, driverLicenseShort, driverLicenseShortest } from './driver-license.ts'
import { email, emailQuoted, emailUnspaced } from './email.ts'
import { emailSpoken } from './email-spoken.ts'
import { esNif } from './es-nif.ts'
import { fiHetu } from './fi-hetu.ts'
import { frNir } from './fr-nir.ts'
import { frTaxId } from './fr-tax-id.ts'
import { iban } from './iban.ts'
import { iePps } from './ie-pps.ts'
import { imei } from './imei.ts'
import { inAadhaar } from './in-aadhaar.ts'
import { inPan } from './in-pan.ts'
import { ipAddress } from './ip-address.ts'
import { itCodiceFiscale } from './it-codice-fiscale.ts'
import { itDocuments } from './it-documents.ts'
import { krRrn } from './kr-rrn.ts'
import { macAddress } from './mac-address.ts'
import { medicalRecord } from './medical-record.ts'
import { mxCurp } from './mx-curp.ts'
import {
  companyId,
  companyIdLei,
  companyIdLetters,
  companyIdShort,
  jpMyNumber,
  nationalId,
  nationalIdLetters,
  nationalIdShort,
  ptCitizenCard,
  taxIdBare,
  vatId,
} from './national-id.ts'
import { itVat, SHAPED_IDS } from './national-shapes.ts'
import { AMERICAN_IDS } from './national-shapes-america.ts'
import { EUROPEAN_IDS } from './national-shapes-europe.ts'
import { nlBsn } from './nl-bsn.ts'
import { noFnr } from './no-fnr.ts'
import { passport, passportLetters, passportShort } from './passport.ts'
import { phoneGrouped, phoneInternational, phoneNanp, phonePrefix, phoneShort, phoneTrunk } from './phone.ts'
import { plNip } from './pl-nip.ts'
import { plPesel } from './pl-pesel.ts'
import { postalCode } from './postal-code.ts'
import { ptNif } from './pt-nif.ts'
import { sePersonnummer } from './se-personnummer.ts'
import { sgNric } from './sg-nric.ts'
import { streetAddress } from './street-address.ts'
import { streetAddressEurope } from './street-address-europe.ts'
import { streetAddressLine } from './street-address-line.ts'
import { swiftBic, swiftBicSmall } from './swift-bic.ts'
import { trTckn } from './tr-tckn.ts'
import { ukNhs } from './uk-nhs.ts'
import { ukNino } from './uk-nino.ts'
import { usBankRouting } from './us-bank-routing.ts'
import { usEin } from './us-ein.ts'
import { usDea, usMbi, usNpi } from './us-health.ts'
import { usItin } from './us-itin.ts'
import { usSsn } from './us-ssn.ts'
import { vehiclePlate } from './vehicle-plate.ts'
import { vin } from './vin.ts'
import { zaId, zaIdShort } from './za-id.ts'

export const DETECTORS: readonly Detector[] = [
  ...[
    email,
    emailUnspaced,
    emailQuoted,
    emailSpoken,
    creditCard,
    creditCardOdd,
    creditCardWithExpiry,
    creditCardInParts,
    creditCardInWords,
    creditCardSpoken,
    creditCardMisread,
    creditCardMasked,
    iban,
    swiftBic,
    swiftBicSmall,
    usSsn,
    usItin,
    usBankRouting,
    usEin,
    usMbi,
    usNpi,
    usDea,
  ],
  ...[
    ukNhs,
    ukNino,
    deTaxId,
    deTaxNumber,
    deIdCard,
    deSocialInsurance,
    frNir,
    frTaxId,
    esNif,
    itCodiceFiscale,
    itDocuments,
    nlBsn,
  ],
  ...[
    plPesel,
    plNip,
    sePersonnummer,
    fiHetu,
    dkCpr,
    noFnr,
    ptNif,
    beNrn,
    chAhv,
    iePps,
    inAadhaar,
    inPan,
    auTfn,
    auAbn,
    auMedicare,
    sgNric,
  ],
  ...[
    brCpf,
    brCnpj,
    caSin,
    krRrn,
    cnResidentId,
    mxCurp,
    trTckn,
    zaId,
    zaIdShort,
    passport,
    passportLetters,
    passportShort,
    driverLicense,
    driverLicenseLetters,
    driverLicenseShort,
    driverLicenseShortest,
    dictatedLicence,
    nationalId,
    nationalIdLetters,
    dictatedId,
    ...SHAPED_IDS,
    ...AMERICAN_IDS,
    ...EUROPEAN_IDS,
    itVat,
    nationalIdShort,
    jpMyNumber,
    ptCitizenCard,
    companyId,
    companyIdShort,
    companyIdLetters,
    companyIdLei,
    vatId,
    taxIdBare,
    medicalRecord,
    bankAccount,
  ],
  ...[
    phoneInternational,
    phonePrefix,
    phoneTrunk,
    phoneNanp,
    phoneGrouped,
    phoneShort,
    ipAddress,
    macAddress,
    imei,
    cryptoWallet,
    vin,
    vehiclePlate,
    dateOfBirth,
  ],
  ...[coordinates, streetAddress, streetAddressEurope, streetAddressLine, postalCode, ageWithUnit, ageBeside, age],
]
