/** National numbers whose names are short or mean other things as well: their shape beside the name finds them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, { action: 'redact' })

const FOUND: readonly (readonly [text: string, value: string])[] = [
  // United States and Canada
  ['Medicare card number: 4T16 VW5 JH66', '4T16 VW5 JH66'],
  ['medicare beneficiary id = 1eg4te5mk73', '1eg4te5mk73'],
  ['A#: A 092 219 217', 'A 092 219 217'],
  ['**A-No.:** A222631399', 'A222631399'],
  ['A# 097 699 473', '097 699 473'],
  ['A-number: 092219217', '092219217'],
  ['My USCIS # is 087894155', '087894155'],
  ['USCIS receipt number IOE0912345678', 'IOE0912345678'],
  ['SEVIS ID: N0012345678', 'N0012345678'],
  ['{"vrn": "165354111"}', '165354111'],
  ['DLN: L772-215-01-513-2', 'L772-215-01-513-2'],
  ['room 590, D.L. No. 02470373, deposit paid', '02470373'],
  ['D/L = 258199-724', '258199-724'],
  ['My PP# is 618724774', '618724774'],
  ["expect(validateUCI('9586-0367')).toBe(true)", '9586-0367'],
  ['[Unique Client Identifier] 11-8183-1754', '11-8183-1754'],
  ['permanent resident card (RA0924862658)', 'RA0924862658'],
  ["WHERE nam = 'BOUC 8303 2166'", 'BOUC 8303 2166'],
  ['carte soleil no ROYJ 6553 0626', 'ROYJ 6553 0626'],
  // United Kingdom, Australia, New Zealand
  ['BRP ZX4904601', 'ZX4904601'],
  ['can you add a note my CHI is 1409776123', '1409776123'],
  ['Community Health Index number 2801628360', '2801628360'],
  ['driving licence D/L no SMITH906148CJ2XR', 'SMITH906148CJ2XR'],
  ['tax ref no 2478795491 already exists', '2478795491'],
  ['duplicate DVA T185715 found', 'T185715'],
  ['Veterans Affairs file number: WSM122106', 'WSM122106'],
  ['customer reference number 226 768 237L', '226 768 237L'],
  ['healthcare identifier: 8003 6057 9977 7095', '8003 6057 9977 7095'],
  ['NSW driver licence no: 8898GA', '8898GA'],
  ['AHPRA registration number MED0001234567', 'MED0001234567'],
  ['NDIS participant number 430123456', '430123456'],
  // Germany, Austria, Switzerland
  ['eAT-Nr. YZ35V8HC0, Geburtsdatum', 'YZ35V8HC0'],
  ['My German residence permit number is YT5L1RZ2R', 'YT5L1RZ2R'],
  ['Aufenthaltserlaubnis Nr.: YTNMZV41K', 'YTNMZV41K'],
  ['AZR-Nummer 130512345678', '130512345678'],
  ['GET /lookup?fuehrerschein_nr=F28C8511443&x', 'F28C8511443'],
  ['FS-Nr D5305252110', 'D5305252110'],
  ['{"type":"HR-Nr.","value":"HRA 69325"}', 'HRA 69325'],
  ['lifelong physician number: 413755510', '413755510'],
  ['Pass X1368454', 'X1368454'],
  ['[company]\nfn = "FN 134916f"', 'FN 134916f'],
  ['StNr. 12 673/6817', '12 673/6817'],
  // France, Belgium, the Netherlands
  ['numéro RPPS 10644376575', '10644376575'],
  ['{"agdref":"JJI239216"}', 'JJI239216'],
  ['n° étranger = 2964543853', '2964543853'],
  ['num_permis: 140892582726', '140892582726'],
  ['NEPH : 140933200123', '140933200123'],
  ['numéro de la carte européenne d’assurance maladie 80250000012345678901', '80250000012345678901'],
  ['Kaartnummer eID: 592-5404460-89', '592-5404460-89'],
  ['KBO BE 0549.618.925', 'BE 0549.618.925'],
  ['BIG → 59090852238', '59090852238'],
  ['BIG-registratienummer: 69643970446', '69643970446'],
  ['{"v_nummer": "2990091713"}', '2990091713'],
  ['V-nr 266.590.8545', '266.590.8545'],
  ["the Dutch identity card number hang on it's IRP4SZ7E7 yeah", 'IRP4SZ7E7'],
  ['btw-nummer - NL 1948.58.716.B.01', 'NL 1948.58.716.B.01'],
  ['Kamer van Koophandel nummer 21095873', '21095873'],
  ['permis: 330469074421', '330469074421'],
  ['Amtsgericht München, HRB 194621', 'HRB 194621'],
  ['share code W4B 3X7 9KL', 'W4B 3X7 9KL'],
  // Southern Europe
  ['num_ss: 41 63617466 39', '41 63617466 39'],
  ['Soporte: GIA302991', 'GIA302991'],
  ['n. carta: CC59055OY', 'CC59055OY'],
  ['idesp: "ZSG218422"', 'ZSG218422'],
  ['nº de soporte CUG720368', 'CUG720368'],
  ['carnet de conducir nº 55149517-W', '55149517-W'],
  ['tarjeta sanitaria CIP: BBBB 1 850101 00 3', 'BBBB 1 850101 00 3'],
  ['permesso_soggiorno=I70636397&x', 'I70636397'],
  ['PDS I56595982', 'I56595982'],
  ['TEAM n. tessera 80380000314913796001', '80380000314913796001'],
  ['pat. n. MI1441066D', 'MI1441066D'],
  ['pass. n. CA5000170', 'CA5000170'],
  ['CI: AC7887403', 'AC7887403'],
  ['SNS number (Portugal): 380108312', '380108312'],
  ['adt: ΑΕ 670700', '670700'],
  ['ΑΦΤ: 08862716A', '08862716A'],
  // Central and eastern Europe
  ['Szig. szám ........ 706866IS', '706866IS'],
  ['személyi ig. szám 802344KS', '802344KS'],
  ['prawo jazdy nr 00015/05/4677', '00015/05/4677'],
  ['č. OP 235174931', '235174931'],
  ['č. OP TI642364', 'TI642364'],
  ['BI RK 543389', 'RK 543389'],
  ['C.U.I. RO70945919', 'RO70945919'],
  ['invalid eik: 213753103', '213753103'],
  ['ПИБ: 129843165', '129843165'],
  ['ВУ: 99 20 878276', '99 20 878276'],
  ['{"oms":"7840560080306477"}', '7840560080306477'],
  ["ipn = '2002057479'", '2002057479'],
  ['passport_number=КС 077224 x', 'КС 077224'],
  ['kt. 1310618899', '1310618899'],
  ['vergi_numarasi: 6685534700', '6685534700'],
  ['Vergi Dairesi / No: 6685534700', '6685534700'],
  ['OP: 210513726', '210513726'],
  ['TC: 41562642246', '41562642246'],
  ['военный билет АБ 1234567', 'АБ 1234567'],
  // In English, of other countries
  ['tax no. Germany: 37/916/19680', '37/916/19680'],
  ['Norwegian org no: 899 495 705', '899 495 705'],
  ['Bulgarian UIC: 189822167', '189822167'],
  ['Portuguese user number: 415541234', '415541234'],
  ['Hong Kong ID: R089540(6)', 'R089540(6)'],
  ['{"Chilean tax ID":"6718856-k"}', '6718856-k'],
  // Other continents
  ['ABHA - 91175008076013', '91175008076013'],
  ['ABHA 91-4150-7154-2817', '91-4150-7154-2817'],
  ['TAN number: PNEK32748M', 'PNEK32748M'],
  ['Election card number: KUP7404666', 'KUP7404666'],
  ['code melli: 2280597888', '2280597888'],
  ['{"tz": "279412910"}', '279412910'],
  ['nic=681088804V&x', '681088804V'],
  ['ROC ID: S141846268', 'S141846268'],
  ['PSN → 9742-2527-3854', '9742-2527-3854'],
  ['zairyu card number (LP71484692YU)', 'LP71484692YU'],
  ['{"houjinBangou": "9074626018360"}', '9074626018360'],
  ['biz_reg_no: 715-87-96647', '715-87-96647'],
  ['con rut 6718856-k, en adelante', '6718856-k'],
  ['CC 1.097.671.612', '1.097.671.612'],
  ['Céd. 7-0408-0406', '7-0408-0406'],
  ['DPI 8867066100603', '8867066100603'],
  ['título: 9739 6703 0604', '9739 6703 0604'],
  ['Carte nationale n°: BE237950', 'BE237950'],
  ['R.I.F. - J-37500896-2', 'J-37500896-2'],
  ['رقم الاقامة 2515621361', '2515621361'],
  ['INE: FZDLCT70020514M938', 'FZDLCT70020514M938'],
  ['{"CC":"24478255"}', '24478255'],
  ['PHIC: 17-648934105-1', '17-648934105-1'],
  ['KTN: TT12B34CD', 'TT12B34CD'],
  ['PF no: MH/BAN/0012345/000/0012345', 'MH/BAN/0012345/000/0012345'],
  ['certidão de nascimento 123456 01 55 2010 1 00012 123 0012345-67', '123456 01 55 2010 1 00012 123 0012345-67'],
  ['Israel ID: 32264847-8', '32264847-8'],
  ['Uruguay ID: 15112824', '15112824'],
]

const NONE: readonly string[] = [
  'Faktura VAT 9618/07/2024',
  'NGC 6822, HD 209191',
  '"personnummer": null, "row": 679278',
  '"curp": null, "row": 206569',
  "{'bsn': None, 'row': 413357}",
  'run;value;error\n41294127;90545;0,377\n',
  'Pick a number 123 456 789',
  'a number A12 is no number',
  'a big 19876543210 and a big number such as 19876543210',
  'The UCI World Tour 2024-2025',
  'UCI 20240501 dump',
  'the chi is 9999999999',
  'tz 123456789',
  'pass A1234567 to the function',
  'US Pat. No. 10123456',
  'we eat 123456789 times',
  'dva vlaky T185715',
  'NIC 123456789012',
  'rut 851 km; run 00477 steps',
  'CI PR 123456',
  'sku 4T16 VW5 JH66',
  'DPI 600, 1200',
  'Peru ID 1234, row 12345678',
  'D/L 12345678 bytes',
  'AAAA is a team of 80380 people',
  'TAN 123456',
  'the op 210513726 wrote',
  'tc 12345678901',
  'cc 24478255 to all',
  'soporte ABC123456',
  'share code with others 123',
  'the register HRB 1',
  'TC 12345678901 failed',
]

/** The groups of a value that are long enough to be told from other text. */
const groupsOf = (value: string) => value.split(/[ ./-]/).filter((group) => group.length > 2)

describe('national numbers with a shape of their own', () => {
  for (const [text, value] of FOUND) {
    it(`are found in ${text}`, () => {
      const start = text.indexOf(value)
      const { findings } = drive.next().input(text)
      assert.ok(
        findings.some((one) => one.start <= start && one.end >= start + value.length),
        JSON.stringify(findings),
      )
      const { output } = drive.next().reply(text)
      for (const group of groupsOf(value)) assert.ok(!output.includes(group), output)
      assert.equal(drive.next().stream([...text]).output, output)
    })
  }

  for (const text of NONE) it(`are none in ${text}`, () => assert.equal(drive.next().reply(text).output, text))
})
