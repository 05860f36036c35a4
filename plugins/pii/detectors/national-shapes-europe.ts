/** Numbers of Europe that count with their shape beside a name; see `national-shapes.ts`. */
import type { Detector } from '../engine/detector.ts'
import { driverLicense } from './driver-license.ts'
import { isBelgianCard, isChi, isDayMonth, isLuhn } from './national-checks.ts'
import { companyId } from './national-id.ts'
import { shaped } from './national-shapes.ts'
import { isTckn } from './tr-tckn.ts'

const HAS_DIGIT = /\d/
/** `CI PR 123456`, `op ID 123456`: not series of cards. */
const isSeries = (compact: string): boolean => !/^(?:PR|MR|ID|NO|NR|TC|OK|QA|VM|OS|DB|PO|CL)/.test(compact)

export const EUROPEAN_IDS: readonly Detector[] = [
  // Health professions of France: Luhn.
  shaped(
    'FR/rpps',
    ['[18]\\d{10}', '[18]\\d( \\d{3}){3}'],
    'rpps, health professional number, n° rpps, numéro rpps, rpps number, répertoire partagé des professionnels',
    {
      fewestDigits: 11,
      isValid: (_, digits) => isLuhn(digits),
    },
  ),
  shaped('FR/adeli', ['\\d{9}', '\\d{2} ?\\d ?\\d{5} ?\\d'], 'adeli, n° adeli, numéro adeli, no adeli, adeli number', {
    fewestDigits: 9,
  }),
  // Foreigners' numbers and cards.
  shaped(
    'FR/agdref',
    ['\\d{10}', '[A-Z]{3} ?\\d{6}', '[A-Z0-9]{2}\\d{7,8}'],
    `agdref, n° agdref, numéro agdref, numéro étranger, numero etranger, n° étranger, no étranger, num étranger, numéro d'étranger, n° d'étranger,
    numéro personnel étranger, titre de séjour, titre séjour, n° titre de séjour, carte de séjour, carte de résident, récépissé, num titre séjour`,
    { fewestDigits: 6 },
  ),
  shaped(
    'FR/student',
    ['\\d{9}[A-Z]{2}', '\\d{10}[A-Z]', '\\d{12}'],
    'ine, n° ine, numéro ine, ine number, neph, n° neph, numéro neph, identifiant national étudiant',
    {
      fewestDigits: 9,
      near: 0.85,
    },
  ),
  // Biometric residence permit.
  shaped(
    'GB/brp',
    ['[A-Z]{2} ?[\\dX]\\d{6}'],
    'brp, biometric permit, brp no, brp number, brp card, brp card number, brc, biometric residence permit, biometric residence permit number, biometric residence card, residence permit, residence permit number',
    { fewestDigits: 6 },
  ),
  shaped(
    'GB/chi',
    ['\\d{10}', '\\d{6}[ \\-]\\d{4}', '\\d{3} \\d{3} \\d{4}', '\\d{2} \\d{2} \\d{2} \\d{4}'],
    'chi, chi no, chi number, chi id, nhs scotland',
    {
      fewestDigits: 10,
      near: 0.8,
      isValid: (_, digits) => isChi(digits),
    },
  ),
  shaped(
    'GB/chi name',
    ['\\d{10}', '\\d{6}[ \\-]\\d{4}', '\\d{3} \\d{3} \\d{4}'],
    'community health index, community health index number, community health index no',
    {
      fewestDigits: 10,
      isValid: (_, digits) => isDayMonth(digits),
    },
  ),
  shaped(
    'GB/visa',
    ['GWF ?\\d{9}', '\\d{4}-\\d{4}-\\d{4}-\\d{4}'],
    'gwf, gwf number, gwf ref, ukvi, ukvi uan, uan, visa application number',
    {
      fewestDigits: 9,
      near: 0.8,
    },
  ),
  // Residence title of Germany: the alphabet of its identity cards.
  shaped(
    'DE/residence',
    ['[LMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\\d?'],
    `eat nr, eat-nr, eat no, eat number, eat-nummer, eat #, eat karte, aufenthaltstitel, aufenthaltstitelnummer, aufenthaltstitel nr, aufenthaltstitels,
    elektronischer aufenthaltstitel, aufenthaltserlaubnis, aufenthaltskarte, aufenthaltsgestattung, aufenthaltsdokument, niederlassungserlaubnis, duldung,
    blaue karte eu, eu blue card, residence permit, residence permit no, residence permit number, residence title, residence card`,
    { fewestDigits: 1, isValid: (compact) => HAS_DIGIT.test(compact) },
  ),
  shaped('DE/eat', ['[LMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\\d?'], 'eat, at-nr', { fewestDigits: 2, near: 0.9 }),
  shaped('DE/azr', ['\\d{12}'], 'azr, azr-nummer, azr-nr, azr nummer, ausländerzentralregister', { fewestDigits: 12 }),
  shaped(
    'DE/job',
    ['\\d{5} ?(BG|//) ?\\d{7}'],
    'bg-nummer, bg-nr, bg nummer, bedarfsgemeinschaft, bedarfsgemeinschaftsnummer',
    { fewestDigits: 12 },
  ),
  // Health professions of the Netherlands: the second digit is 9.
  shaped(
    'NL/big',
    ['\\d9\\d{9}'],
    'big-nr, big-nummer, big nummer, big registratie, big-registratie, big-registratienummer, big registration, big registration number, big-register, big id',
    { fewestDigits: 11 },
  ),
  shaped('NL/big word', ['\\d9\\d{9}'], 'big', { fewestDigits: 11, isWord: true }),
  shaped(
    'NL/foreigner',
    ['\\d{10}', '\\d{3}\\.\\d{3}\\.\\d{4}', '\\d{3} \\d{3} \\d{4}'],
    'a-nummer, a-nr, v-nummer, v-nr, v nummer, v-number, v no, vnr, v-nummer ind, vreemdelingennummer, vreemdelingennr, ind-nummer, ind nummer, immigration number, foreigner number',
    { fewestDigits: 10 },
  ),
  shaped(
    'NL/card',
    ['I[A-NP-Z]{2}[A-NP-Z0-9]{5}\\d'],
    'identiteitskaart, identiteitskaartnummer, identiteitskaart nr, identiteitsbewijs, id-kaart, id-kaartnummer, id kaart nr, nederlandse identiteitskaart, dutch identity card, dutch id card, dutch id, identity card, identity card number, id card, document number, documentnummer',
    { fewestDigits: 1 },
  ),
  shaped(
    'HU',
    ['\\d{6} ?[A-Z]{2}', '\\d{6}[a-z]{2}', '[A-Z]{2} ?\\d{6}'],
    `szig, szig. sz, szig szám, szig. szám, szigszám, szem. ig, szem.ig, szem. ig. szám, személyi ig, személyi ig. szám,
    személyi, személyi igazolvány, személyi igazolvány száma, szem. ig. sz`,
    { fewestDigits: 6 },
  ),
  // Identity cards with a series of two letters: Slovakia, Romania, Italy until 2016.
  shaped(
    'EU/series',
    ['[A-Z]{2} ?\\d{6,7}'],
    `op, č. op, číslo op, op č, obč. preukaz, občiansky preukaz, bi, b.i, ci, c.i, buletin, buletin de identitate, serie ci,
    seria ci, carte de identitate, carta identità, carta d'identità`,
    { fewestDigits: 6, near: 0.9, isValid: isSeries },
  ),
  shaped(
    'EU/series name',
    ['[A-Z]{2} ?\\d{6,7}'],
    `romanian id card, romanian identity card, romanian id card series and number, slovak id card, slovak identity card,
    italian identity card, italian id card, polish id card, občianskeho preukazu, číslo občianskeho preukazu, seria și numărul`,
    { fewestDigits: 6, isValid: isSeries },
  ),
  shaped(
    'CZ/card',
    ['\\d{9}'],
    'č. op, číslo op, op č, č.op, občanka, číslo občanky, obč. průkaz, czech id card, czech identity card, czech id card number',
    {
      fewestDigits: 9,
      near: 0.8,
    },
  ),
  shaped(
    'GR',
    ['\\L{1,2}[ \\-]?\\d{6}', '[A-Z]{1,2}[ \\-]?\\d{6}'],
    'adt, αδτ, α.δ.τ, arithmos taftotitas, arithmos tautotitas, arithmos deltiou taftotitas, δελτίο ταυτότητας, αριθμός δελτίου ταυτότητας, greek id card, greek identity card',
    {
      fewestDigits: 6,
      near: 0.8,
    },
  ),
  shaped('CY', ['\\d{8}[A-Z]'], 'αφτ, α.φ.τ, tic, tic no, tic number, cyprus tax number, cypriot tic', {
    fewestDigits: 8,
    near: 0.75,
  }),
  // Residence permit and health card of Italy; the European health insurance card begins with 80.
  shaped(
    'IT/permit',
    ['[A-Z]{1,2}\\d{7,8}', 'I ?\\d{8}'],
    `permesso di soggiorno, permesso soggiorno, num permesso, numero permesso, n. permesso, permesso n, permesso n°, permesso no, permit of stay, carta di soggiorno, titolo di soggiorno,
    italian residence permit, italian residence permit number`,
  ),
  shaped('IT/pds', ['[A-Z]\\d{8}'], 'pds, pse, p.d.s, pds n, n. pds', { near: 0.85 }),
  shaped(
    'EU/health',
    ['80\\d{18}', '80\\d{3}( ?\\d{5}){3}', '80( ?\\d{3}){6}'],
    `ts, ts n, n. ts, team, team n, tessera, tessera n, n. tessera, numero tessera, tessera sanitaria, numero di identificazione della tessera, numero identificazione tessera, ehic,
    ehic no, ehic number, european health insurance card, health insurance card, health insurance card no, ceam, carte européenne d'assurance maladie, tse, tarjeta sanitaria europea, ekuz, ehic-nummer, ekvk,
    europäische krankenversicherungskarte, kennnummer der karte, cesd, veka, veka-nr, versichertenkarte, carte d'assuré, okp`,
    { fewestDigits: 20 },
  ),
  shaped('IT/licence', ['U1[A-Z0-9]{7}[A-Z]', '[A-Z]{2}\\d{7}[A-Z]'], 'pat. n, pat n, pat. no, n. pat, pat. guida', {
    fewestDigits: 1,
    near: 0.85,
    base: driverLicense,
  }),
  shaped('IT/foreigner', ['(STP|ENI) ?\\d{13}'], 'stp, eni, codice stp, codice eni, tessera stp', { fewestDigits: 13 }),
  // Support of the Spanish identity card and of foreigners' cards.
  shaped(
    'ES/support',
    ['[A-Z]{3} ?\\d{6}', '[EC]\\d{8}'],
    `idesp, idesp nº, número de soporte, número soporte, nº soporte, nº de soporte, n° soporte, núm. soporte, num soporte, soporte dni, soporte nie, soporte tie, support number,
    numero di supporto, número do soporte, ixesp`,
    { fewestDigits: 6 },
  ),
  shaped(
    'ES/health',
    ['[A-Z]{4} ?\\d ?\\d{6} ?\\d{2} ?\\d', '[A-Z]{4}\\d{10,12}', '[A-Z]{8}[A-Z0-9]{2}\\d{6}'],
    `cip, cip nº, cip-sns, cip sns, código cip, código de identificación personal, tarjeta sanitaria,
    tarjeta sanitaria individual, tsi, nº tarjeta sanitaria, targeta sanitària, health card`,
    { fewestDigits: 6, near: 0.7 },
  ),
  shaped(
    'PT/health',
    ['\\d{3} ?\\d{3} ?\\d{3}'],
    `nº sns, n.º sns, n.º de sns, número sns, número do sns, utente, nº utente, n.º utente, número de utente, número do utente,
    health user number, portuguese user number, portuguese nhs number, portuguese health number, cartão de utente`,
    { fewestDigits: 9 },
  ),
  shaped('PT/sns', ['\\d{3} ?\\d{3} ?\\d{3}'], 'sns', { fewestDigits: 9, near: 0.8 }),
  shaped(
    'PT/card',
    ['\\d{8}[ \\-]?\\d[ \\-]?([A-Z][A-Z0-9]|\\d[A-Z]|[a-z]{2}) ?\\d'],
    'cc, cc nº, cc n.º, cartão cidadão, cartão de cidadão, cartão do cidadão, portuguese citizen card',
    { fewestDigits: 9 },
  ),
  shaped(
    'BE/card',
    ['\\d{3}[ \\-]\\d{7}[ \\-]\\d{2}', '\\d{12}'],
    `eid, e-id, eid-kaart, kaartnummer, kaartnr, kaartnummer eid, identiteitskaart, identiteitskaartnummer, numéro de carte, n° de carte, carte d'identité,
    numéro de carte d'identité, belgian id card, belgian identity card, identity card, card number, id card`,
    { fewestDigits: 12, isValid: (_, digits) => isBelgianCard(digits) },
  ),
  shaped(
    'BE/care',
    ['\\d{11}', '\\d[ \\-]\\d{5}[ \\-]\\d{2}[ \\-]\\d{3}'],
    'riziv, riziv-nr, riziv-nummer, inami, n° inami, numéro inami, nihdi, rizivnummer',
    { fewestDigits: 11 },
  ),
  shaped(
    'BE/company',
    ['BE ?[01]?\\d{3}[. ]?\\d{3}[. ]?\\d{3}', '[01]\\d{3}\\.\\d{3}\\.\\d{3}'],
    `kbo, kbo nr, kbo-nr, kbo-nummer, bce, n° bce, numéro bce, kbo/bce, bce no, cbe, cbe number, ondernemingsnr, rpr, rpm, ecb number,
    ondernemingsnummer, numéro d'entreprise`,
    { fewestDigits: 9, base: companyId },
  ),
  shaped('RO/company', ['RO ?\\d{4,10}'], 'c.u.i, cui, cif, c.i.f, cod fiscal, cod unic de înregistrare, cui no', {
    fewestDigits: 4,
    near: 0.85,
    base: companyId,
  }),
  shaped(
    'BG/company',
    ['\\d{9}', '\\d{13}', 'BG ?\\d{9,10}'],
    'eik, eik no, eik number, e.i.k, bulgarian uic, bulstat, bulstat no, eik/bulstat, еик',
    { fewestDigits: 9, near: 0.85, base: companyId },
  ),
  shaped(
    'RU/health',
    ['\\d{16}', '\\d{4}( \\d{4}){3}'],
    'oms, омс, полис, полис омс, енп, номер енп, oms policy, oms number, oms no, polis oms, polis',
    { fewestDigits: 16, near: 0.7 },
  ),
  shaped('UA', ['\\d{10}'], 'ipn, іпн, інн, рнокпп, rnokpp, ipn number, ипн', { fewestDigits: 10, near: 0.85 }),
  shaped('IS', ['\\d{6}[ \\-]?\\d{4}'], 'kt, kt no, kennitala, kennitalan', {
    fewestDigits: 10,
    near: 0.85,
    isValid: (_, digits) => isDayMonth(digits),
  }),
  shaped('SI', ['(SI ?)?\\d{8}'], 'dš, d.š, davčna št, davčna št, id za ddv', { fewestDigits: 8, near: 0.85 }),
  shaped(
    'AT/tax',
    ['\\d{2}[ \\-]\\d{3}/\\d{4}', '\\d{2}-\\d{7}'],
    'stnr, st.nr, st.-nr, st. nr, steuernr, steuer-nr, steuernummer, abgabenkontonummer, austrian tax number',
    { fewestDigits: 9 },
  ),
  shaped(
    'AT/register',
    ['FN ?\\d{5,6} ?[a-z]'],
    'fn, fn-nr, fn-nummer, firmenbuch, firmenbuchnummer, firmenbuchnr, firmenbuch-nr',
    { fewestDigits: 5, base: companyId },
  ),
  shaped(
    'TR/tax',
    ['\\d{10}'],
    'vergi dairesi, vergi dairesi no, vergi dairesi / no, vergi dairesi ve no, v.d. no, vkn, vkn no',
    { fewestDigits: 10, base: companyId },
  ),
  shaped('LT', ['[1-6]\\d{10}'], 'a.k, a. k', { fewestDigits: 11, near: 0.9 }),
  shaped(
    'FR/licence',
    ['\\d{12}', '\\d{2}[A-Z]{2}\\d{5}', '\\d{2} \\d{2} \\d{2} \\d{6}'],
    'permis, permis num, permis n°, neph/permis',
    {
      fewestDigits: 7,
      near: 0.85,
      base: driverLicense,
    },
  ),
  shaped(
    'DE/register',
    ['HR[AB] ?\\d{3,6}( ?[A-Z])?'],
    'register, registergericht, amtsgericht, hr, hr-nr, hr-nummer, handelsregister, registernummer',
    { fewestDigits: 3, base: companyId },
  ),
  shaped(
    'ES/social',
    ['\\d{2}[ /\\-]?\\d{8}[ /\\-]?\\d{2}'],
    'num ss, nº ss, número ss, n.º ss, ss nº, num seg social, naf, nuss',
    { fewestDigits: 12, near: 0.8 },
  ),
  shaped('ES/support word', ['[A-Z]{3}\\d{6}'], 'soporte', { fewestDigits: 6, near: 0.93, isWord: true }),
  shaped('IT/card', ['[A-Z]{2} ?\\d{5} ?[A-Z]{2}'], 'n. carta, numero carta, carta n, num carta, cie, c.i.e', {
    fewestDigits: 5,
    near: 0.8,
  }),
  shaped('CZ/card word', ['\\d{9}'], 'op', { fewestDigits: 9, near: 0.93, isWord: true }),
  shaped('TR/person', ['[1-9]\\d{10}'], 'tc, t.c, t.c. no', {
    fewestDigits: 11,
    near: 0.9,
    isWord: true,
    isValid: (_, digits) => isTckn(digits),
  }),
  shaped('TR/tax office', ['\\d{10}'], 'v.d, vd, v.d. no', {
    fewestDigits: 10,
    near: 0.9,
    isWord: true,
    base: companyId,
  }),
  shaped('GB/share', ['[WRS][A-Z0-9]{2} ?[A-Z0-9]{3} ?[A-Z0-9]{3}'], 'share code, sharecode', {
    fewestDigits: 2,
    near: 0.85,
  }),
  shaped('DE/etin', ['[A-Z]{8}\\d{2}[A-Z]\\d{2}[A-Z]'], 'etin, e-tin', { fewestDigits: 4 }),
  shaped('DE/efn', ['80276\\d{10}'], 'efn, einheitliche fortbildungsnummer, fortbildungsnummer', { fewestDigits: 15 }),
]
