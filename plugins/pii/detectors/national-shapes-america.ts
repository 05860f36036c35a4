/** Numbers of America, Asia, Africa and Oceania that count with their shape beside a name; see `national-shapes.ts`. */
import type { Detector } from '../engine/detector.ts'
import { isIranian, isLuhn, isRut } from './national-checks.ts'
import { companyId } from './national-id.ts'
import { shaped } from './national-shapes.ts'

const isRamq = (compact: string): boolean => {
  const month = Number(compact.slice(6, 8)) % 50
  return month > 0 && month < 13
}

/** The year of birth and the day in it; women's begin at 501. */
const isLankan = (compact: string): boolean => compact.length < 12 || Number(compact.slice(4, 7)) % 500 <= 366

const YEARS = /^(?:19|20)\d\d(?:19|20)\d\d$/
const DAY = /^20\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/

const COUNTRIES = `
  albania, algeria, argentina, armenia, australia, austria, azerbaijan, bahrain, bangladesh, belarus, belgium, bolivia, bosnia, brazil, bulgaria,
  canada, chile, china, colombia, costa rica, croatia, cuba, cyprus, czech, denmark, dominican republic, dominican, ecuador, egypt, el salvador,
  estonia, ethiopia, finland, france, georgia, germany, ghana, greece, guatemala, honduras, hong kong, hungary, iceland, india, indonesia, iran,
  iraq, ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea, kosovo, kuwait, latvia, lebanon, lithuania, malaysia, malta, mauritius, mexico,
  moldova, montenegro, morocco, myanmar, nepal, netherlands, nicaragua, nigeria, north macedonia, norway, oman, pakistan, panama, paraguay,
  peru, philippines, poland, portugal, qatar, romania, russia, rwanda, saudi arabia, senegal, serbia, singapore, slovakia, slovenia, south africa, spain,
  sri lanka, sweden, switzerland, taiwan, tanzania, thailand, tunisia, turkey, uae, uganda, ukraine, uruguay, uzbekistan, venezuela, vietnam,
  zambia, zimbabwe`

export const AMERICAN_IDS: readonly Detector[] = [
  // Alien registration number (USCIS): A and eight or nine digits.
  shaped(
    'US/alien',
    ['A[ \\-]?\\d{8,9}', 'A[ \\-]?\\d{3}[ \\-]\\d{3}[ \\-]\\d{3}', 'A[ \\-]?\\d{2}[ \\-]\\d{3}[ \\-]\\d{3}'],
    `a#, a #, ar#, alien #, alien#, a no, a number, a file, a-nr, alien no, alien number, alien id, alien file number, alien registration,
    alien registration no, alien reg no, alien reg number, arn, uscis number, uscis no, uscis #, uscis#, uscis id, green card, green card no`,
    { fewestDigits: 8 },
  ),
  shaped(
    'US/alien digits',
    ['\\d{8,9}', '\\d{3}[ \\-]\\d{3}[ \\-]\\d{3}'],
    `a#, alien #, alien no, alien reg no, alien file number, uscis no, uscis #, uscis#`,
    {
      fewestDigits: 8,
      near: 0.85,
    },
  ),
  // `A-number: 092219217`, not `pick a number 123 456 789`.
  shaped('US/a-number', ['\\d{8,9}', '\\d{3}[ \\-]\\d{3}[ \\-]\\d{3}'], 'a number, a no', {
    fewestDigits: 8,
    near: 0.85,
    isWord: true,
  }),
  // Receipts of USCIS, USCIS.
  shaped(
    'US/receipt',
    ['(EAC|WAC|LIN|SRC|NBC|MSC|IOE|YSC|TSC)[ \\-]?\\d{10}'],
    'uscis, uscis receipt, uscis receipt number, receipt number, receipt no, uscis case, uscis case number',
    { fewestDigits: 10 },
  ),
  shaped('US/student', ['N\\d{10}'], 'sevis, sevis id, sevis number, sevis no', { fewestDigits: 10 }),
  shaped(
    'US/admission',
    ['\\d{9}[A-Z]\\d', '\\d{11}'],
    'i-94, admission number, i-94 number, i-94 no, i-94 admission number',
    {
      fewestDigits: 10,
    },
  ),
  // Florida's has nine digits, others eight to ten.
  shaped('US/voter', ['\\d{8,10}'], 'vrn, vrn no, vuid, voter reg no, voter reg number, voter file id', {
    fewestDigits: 8,
    near: 0.85,
    isValid: (_, digits) => !DAY.test(digits),
  }),
  // Unique client identifier of IRCC.
  shaped(
    'CA/client',
    ['\\d{2}-\\d{4}-\\d{4}', '\\d{4}-\\d{4}', '\\d{8}', '\\d{10}'],
    `unique client identifier, unique client id, uci number, uci no, uci #, client uci, ircc uci, ircc client id, ircc client number,
    ircc client no, ircc id, identificateur unique de client, iuc`,
    { fewestDigits: 8, isValid: (_, digits) => !YEARS.test(digits) },
  ),
  shaped('CA/uci', ['\\d{2}-\\d{4}-\\d{4}', '\\d{4}-\\d{4}', '\\d{8}', '\\d{10}'], 'uci', {
    fewestDigits: 8,
    near: 0.8,
    isValid: (_, digits) => !YEARS.test(digits) && !DAY.test(digits),
  }),
  shaped(
    'CA/resident',
    ['[A-Z]{2} ?\\d{7}', '[A-Z]{2} ?\\d{10}', 'T\\d{9}'],
    `permanent resident card, permanent resident card number, permanent resident card no, permanent resident id,
    permanent residence card, pr card, pr card no, pr card number, carte de résident permanent, carte rp, no de carte rp, coprid, copr, copr number`,
  ),
  // Health insurance of Quebec: letters of the name, year, month (women's + 50), day.
  shaped(
    'CA/ramq',
    ['[A-Z]{4}[ \\-]?\\d{4}[ \\-]?\\d{4}', '[a-z]{4}\\d{8}'],
    `nam, ramq, ramq no, carte soleil, carte soleil no, no de carte soleil, numéro d'assurance maladie, no d'assurance maladie,
    n° d'assurance maladie, numéro assurance maladie, carte d'assurance maladie, assurance maladie, health insurance number, hin`,
    { isValid: isRamq },
  ),
  shaped(
    'CA/health',
    ['\\d{9,10}', '\\d{4}[ \\-]\\d{3}[ \\-]\\d{3}', '\\d{3}[ \\-]\\d{3}[ \\-]\\d{3}'],
    `phn, phn no, phin, msp number, msp no, ahcip, ahcip number, carecard, care card, care card no, personal health id,
    personal health identification number, bc services card number`,
    { fewestDigits: 9, near: 0.8 },
  ),
  // Department of Veterans' Affairs: state, war, number, dependants.
  shaped(
    'AU/veteran',
    ['[NVQSWT][A-Z]{0,3} ?\\d{3,6}[A-Z]?'],
    `dva no, dva number, dva #, dva file, dva file no, dva file number, dva card, dva card no, dva gold card, veterans affairs,
    veterans affairs number, veterans affairs no, veterans affairs file, veterans affairs file number, veterans affairs file no, veteran card, veteran id, veteran file number, veteran file no`,
    { fewestDigits: 3 },
  ),
  shaped('AU/dva', ['[NVQSWT][A-Z]{0,3}\\d{3,6}[A-Z]?'], 'dva', { fewestDigits: 3, near: 0.85, isWord: true }),
  shaped(
    'AU/centrelink',
    ['\\d{3}[ \\-]?\\d{3}[ \\-]?\\d{3}[ \\-]?[A-Z]'],
    'crn, crn no, centrelink, centrelink crn, customer reference number, customer reference no, customer ref no, customer access number',
  ),
  // Healthcare identifiers begin with 80036.
  shaped(
    'AU/health',
    ['80036\\d{11}', '8003 6\\d{3} \\d{4} \\d{4}', '8003-6\\d{3}-\\d{4}-\\d{4}'],
    'healthcare identifier, health identifier, ihi, ihi no, hpi-i, hpii, hpi i number, hpi-o, my health record',
  ),
  shaped(
    'AU/practitioner',
    ['[A-Z]{3}\\d{10}'],
    'ahpra, ahpra no, ahpra number, ahpra registration, registration number, registration no',
  ),
  shaped('AU/student', ['[A-HJ-NP-Z2-9]{10}'], 'usi, usi number, usi no, unique student identifier', {
    fewestDigits: 2,
    near: 0.85,
  }),
  shaped(
    'AU/visa',
    ['[A-Z]{3}\\d{6}', '\\d{13}'],
    'immicard, immicard number, immicard no, visa grant number, visa grant no',
    {
      fewestDigits: 6,
    },
  ),
  // Health account of India.
  shaped(
    'IN/health',
    ['\\d{14}', '\\d{2}[ \\-]\\d{4}[ \\-]\\d{4}[ \\-]\\d{4}'],
    `abha, abha no, abha number, abha id, abha card, abha #, ayushman bharat health account, ayushman bharat, health id, health id number, ndhm,
    ndhm id, abdm, आभा, आभा नंबर`,
    { fewestDigits: 14 },
  ),
  shaped(
    'IN/voter',
    ['[A-Z]{3}[ /]?\\d{7}'],
    `election card, election card no, election card number, election id, election id card, elector photo identity card, elector card, elector id,
    voter card, voter card no, voter id card, voters id, voter no, voter number, मतदाता पहचान पत्र, वोटर आईडी`,
  ),
  shaped(
    'IN/funds',
    ['\\d{12}', '\\d{14}', '\\d{17}', '\\d{10}', '\\d{2}-\\d{2}-\\d{6}-\\d{3}-\\d{4}'],
    'pran, pran no, pran number, esic, esic no, esic number, esi no, ckyc, ckyc no, ckyc number, ckycr, kin number, uan, uan no',
    { fewestDigits: 10, near: 0.85 },
  ),
  shaped(
    'IN/tan',
    ['[A-Z]{4} ?\\d{5} ?[A-Z]'],
    'tan, tan no, tan number, deductor tan, tax deduction account number, tds tan',
    {
      fewestDigits: 5,
      near: 0.75,
      base: companyId,
    },
  ),
  shaped(
    'IR',
    ['\\d{10}', '\\d{3}-\\d{6}-\\d'],
    'code melli, kode melli, code meli, codemeli, kod melli, melli code, shomare melli, national code, iranian national code, کد ملی, کدملی, شماره ملی',
    { fewestDigits: 10, isValid: (_, digits) => isIranian(digits) },
  ),
  shaped(
    'IL',
    ['\\d{9}', '\\d{8}-\\d', '\\d{7,8}-\\d', '\\d-\\d{7}-\\d'],
    'tz, t.z, tz no, tz number, tz id, teudat zehut, mispar zehut, zehut, תעודת זהות, ת״ז, תז, ת"ז',
    { fewestDigits: 8, near: 0.85, isValid: (_, digits) => isLuhn(digits) },
  ),
  shaped(
    'LK',
    ['\\d{9}[VvXx]', '[12][90]\\d{10}', '\\d{5}-\\d{7}-\\d'],
    'nic, nic no, nic number, nic card, national identity card',
    {
      fewestDigits: 9,
      near: 0.85,
      isValid: isLankan,
    },
  ),
  shaped(
    'TW',
    ['[A-Z][1289A-D]\\d{8}'],
    'roc id, roc id no, r.o.c. id, roc national id, taiwan id, taiwanese id, arc no, arc number',
    {
      fewestDigits: 8,
    },
  ),
  shaped(
    'PH/psn',
    ['\\d{4}[ \\-]\\d{4}[ \\-]\\d{4}([ \\-]\\d{4})?', '\\d{12}', '\\d{16}'],
    'psn, pcn, psn no, pcn no, philsys card number',
    {
      fewestDigits: 12,
      near: 0.85,
    },
  ),
  shaped(
    'JP/residence',
    ['[A-Z]{2}\\d{8}[A-Z]{2}'],
    'zairyu, zairyū, zairyu card, zairyu card no, residence card, residence card no, residence card number, 在留カード, 在留番号',
  ),
  shaped('ZM', ['\\d{6}/\\d{2}/\\d'], 'nrc, nrc no, nrc number, national registration card', { fewestDigits: 9 }),
  shaped(
    'CL',
    ['\\d{1,2}\\.?\\d{3}\\.?\\d{3}-[\\dkK]'],
    'rut, r.u.t, run, r.u.n, rut no, rut n°, cédula, cédula de identidad, cédula chilena, rol único tributario, rol único nacional, chilean id, chilean tax id, chilean national id',
    { fewestDigits: 7, isValid: isRut },
  ),
  shaped('CL/bare', ['\\d{7,8}[\\dkK]'], 'rut, run', { fewestDigits: 7, near: 0.9, isWord: true, isValid: isRut }),
  shaped('CO/cc', ['\\d\\.\\d{3}\\.\\d{3}\\.\\d{3}'], 'cc, c.c, cc no, cc nº, cc n°, cédula, céd', {
    fewestDigits: 10,
    near: 0.9,
  }),
  shaped('CR', ['\\d-\\d{4}-\\d{4}'], 'céd, céd. no, cédula, cédula no, cédula de identidad, cédula física', {
    near: 0.8,
  }),
  shaped(
    'GT',
    ['\\d{4} ?\\d{5} ?\\d{4}'],
    'dpi, dpi no, dpi number, cui, número de dpi, código único de identificación, dpi/cui',
    {
      fewestDigits: 13,
      // Department and municipality.
      isValid: (_, digits) => /(?:0[1-9]|1\d|2[0-2])\d\d$/.test(digits),
    },
  ),
  shaped(
    'BR/voter',
    ['\\d{12}', '\\d{4} \\d{4} \\d{4}'],
    'título, titulo, título eleitor, tit eleitor, tit. eleitor, título eleitoral, título de eleitor, título nº',
    {
      fewestDigits: 12,
      near: 0.85,
    },
  ),
  shaped(
    'MA',
    ['[A-Z]{1,2} ?\\d{5,6}'],
    'carte nationale, carte nationale no, carte nationale n°, cin, c.i.n, cin no, cin n°, n° cin, cnie',
    {
      fewestDigits: 5,
      near: 0.85,
    },
  ),
  shaped(
    'EG',
    ['[23]\\d{13}'],
    'raqam qawmi, raqm qawmi, raqam kawmi, raqm kawmy, ar-raqam al-qawmi, الرقم القومي, رقم قومي',
    {
      fewestDigits: 14,
    },
  ),
  shaped('VE/rif', ['[VEJPGCvejpgc]-?\\d{8}-?\\d'], 'rif, r.i.f, rif no, rif nº', { base: companyId }),
  shaped(
    'SA',
    ['[12]\\d{9}'],
    'الهوية, هوية, رقم الهويه, بطاقة الأحوال, بطاقة الاحوال, رقم بطاقة الأحوال, رقم بطاقة الاحوال, الأحوال, إقامة, اقامة, الاقامة, رقم الاقامة, رقم إقامة, iqama, iqama no, iqama id',
    {
      fewestDigits: 10,
      near: 0.8,
    },
  ),
  // Voters of Mexico: letters of the name, day of birth, state, sex.
  shaped(
    'MX/voter',
    ['[A-Z]{6}\\d{8}[HM]\\d{3}'],
    'ine, ife, clave ine, credencial, credencial ine, elector, clave elector',
    {
      fewestDigits: 11,
    },
  ),
  shaped('CO/cc digits', ['\\d{8}', '\\d{10}'], 'cc, c.c', {
    fewestDigits: 8,
    near: 0.93,
    isWord: true,
    isValid: (_, digits) => !DAY.test(digits),
  }),
  shaped('CR/digits', ['[1-9]\\d{8}'], 'céd, céd. física, cédula física', { fewestDigits: 9, near: 0.85 }),
  shaped('PH/health', ['\\d{2}-\\d{9}-\\d', '\\d{12}'], 'phic, philhealth, philhealth pin, phic no', {
    fewestDigits: 12,
    near: 0.8,
  }),
  shaped('PK', ['\\d{13}', '\\d{5}-\\d{7}-\\d'], 'nic, cnic, nicop, poc', { fewestDigits: 13, near: 0.85 }),
  shaped(
    'US/traveller',
    ['TT[A-Z0-9]{7}'],
    'ktn, known traveler number, known traveller number, tsa precheck, global entry',
    {
      fewestDigits: 2,
    },
  ),
  shaped(
    'IN/provident',
    ['[A-Z]{2}/[A-Z]{3}/\\d{5,7}/(\\d{3}/)?\\d{3,7}'],
    'pf no, pf number, pf account, epf, epf no, provident fund',
    {
      fewestDigits: 8,
    },
  ),
  // Certificates of birth, marriage and death.
  shaped(
    'BR/certificate',
    ['\\d{6} ?\\d{2} ?\\d{2} ?\\d{4} ?\\d ?\\d{5} ?\\d{3} ?\\d{7}[ \\-]?\\d{2}'],
    'certidão, certidão de nascimento, certidão de casamento, certidão de óbito, matrícula',
    { fewestDigits: 32 },
  ),
  // `Israel ID: 32264847-8`: the name of a country right before such a number.
  shaped(
    'country',
    [
      '\\d{7,13}',
      '\\d{6,8}-[\\dA-Zk]',
      '\\d{6}-\\d{4,5}',
      '\\d{3}-\\d{7}-\\d',
      '\\d{1,2}\\.\\d{3}\\.\\d{3}(-[\\dKk])?',
      '[A-Z]{1,2} ?\\d{6,9}[A-Z]?',
    ],
    COUNTRIES.split(',')
      .map((country) => `${country.trim()} id`)
      .join(),
    { near: 0.93, isValid: (_, digits) => !DAY.test(digits) },
  ),
]
