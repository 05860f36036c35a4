import { plain, withShorter } from './national-languages.ts'

/**
 * What people call their national numbers: `country | names, … | format`. Names in all usual languages; a number of
 * the general shape beside one of them is personal, whatever its check digits say. In a format, `9` is a digit, `A` a
 * letter and `X` either. Countries with a detector of their own are in their files.
 */
const PERSONAL = `
AD | nrt, número de registre tributari | A-999999-A
AE | emirates id, emirates id number, eid number, هوية الإمارات, e-id, uae id, eid no, eid number, الهوية الإماراتية, هوية إماراتية, labour card number, labor card number, unified number | 784-9999-9999999-9
AL | nipt, numri i identifikimit, nid shqiptare, karta e identitetit, nuis, numri i identifikimit për personin e tatueshëm, numri personal | A99999999A
AR | dni, documento nacional de identidad, cuil, cuit, código único de identificación tributaria, clave única de identificación tributaria, cuil/cuit, cuit/cuil, libreta de enrolamento, nro documento, nro de documento, nro dni, número de trámite, n° de trámite, nº de trámite, nº trámite | 99-99999999-9
AT | vsnr, svnr, sv-nummer, versicherungsnummer, abgabenkontonummer, österreichische steuernummer, zmr-zahl, zmr, sv number | 9999 999999; 99-999/9999
AU | crn, centrelink, centrelink reference number, ihi number, individual healthcare identifier, ihi, director id, director identification number, ndis, ndis number, ndis no, ndis participant number, wwcc number | 999 999 999A
AZ | vöen, fin kod, şəxsiyyət vəsiqəsi, voen, vergi ödəyicisinin eyniləşdirmə nömrəsi, vergi nömrəsi, fərdi identifikasiya nömrəsi, şv nömrəsi, vergi identifikasiya nömrəsi, fin code, azerbaijani fin code, azerbaijan fin code | 9999999999; XXXXXXX
BD | nid number, national id bangladesh, জাতীয় পরিচয়পত্র, এনআইডি, এনআইডি নম্বর, জাতীয় পরিচয়পত্র নম্বর | 9999999999
BE | bis number, bis-nummer, numéro bis, rijksregisternummer, numéro national, registre national, niss, insz, identiteitskaart, eid number, numéro de carte d'identité | 99.99.99-999.99; 999-9999999-99
BG | egn, егн, единен граждански номер, лнч, личен номер на чужденец, лична карта, pnf number, егн номер, unified civil number, uniform civil number, unified citizen number, edinen grazhdanski nomer, bulgarian civil number | 9999999999
BH | cpr number bahrain, personal number bahrain, الرقم السكاني, bahrain cpr | 999999999
BO | cédula de identidad, carnet de identidad, bolivian ci, ci bolivia, ci boliviana | 9999999
BR | rg, registro geral, título de eleitor, titulo de eleitor, pis, pasep, pis/pasep, nis, nit brasil, carteira de trabalho, cns, cartão sus, cartão nacional de saúde, renavam, rne, crnm, identidade, carteira de identidade, ctps, certificado de reservista, rnm, social integration number, sus card, sus card number, brazilian sus, cartão do sus | 99.999.999-9; 9999 9999 9999
BY | личный номер, идентификационный номер | 9999999A999AA9
CA | phn, personal health number, health card number, health care number, alberta health number, ahcip, ohip, ohip number, ramq, care card, uci number, pr card, numéro de carte santé, ontario health card, status card number, indian status number, citizenship certificate number | 9999 999 999; 9999-999-999-AA
CH | zemis-nummer, zemis-nr, symic, numéro symic, n° symic, sozialversicherungsnummer, ahv-nummer, numéro avs, numero avs, avs-nummer, ausländerausweis, zar-nummer, zsr-nummer, insurance card number, insurance card no, swiss insurance card, kartennr. krankenkasse, kartennummer krankenkasse, krankenversicherungskarte | 756.9999.9999.99
CL | rut, rol único tributario, rol único nacional, cédula de identidad chilena | 99.999.999-X
CN | 身份证号, 身份证号码, 居民身份证, 公民身份号码, 社保号, resident identity card, resident id, ric no, shenfenzheng, shenfenzheng hao, sfz, sfzh, 军官证, 港澳通行证, 台胞证, 回乡证, 户口簿, 通行证号 | 99999999999999999X
CO | num doc, nro doc, numdoc, nrodoc, cédula de ciudadanía, cédula de extranjería, nuip, número de identificación tributaria, tarjeta de identidad, cédula no, permiso por protección temporal, citizenship card | 999.999.999-9
CR | cédula de persona física, cédula de residencia, dimex, cédula física | 9-9999-9999
CU | número de identidad, carné de identidad | 99999999999
CY | cyprus id, αριθμός ταυτότητας | 9999999
CZ | rodné číslo, rodne cislo, občanský průkaz, číslo občanského průkazu, birth number, r.č. | 999999/9999
DE | kvnr, krankenversicherungsnummer, krankenversichertennummer, gesundheitskarte, egk-nummer, lanr, lebenslange arztnummer, arztnummer, bsnr, betriebsstättennummer, idnr, identifikationsnummer, ausweis-nr, aufenthaltstitel, sozialversicherungsausweis, id-nr, bpa-nr, pa-nr, personalausweises, ausweises, bundespersonalausweis, egk-nr, kv-nr, vers.-nr, versicherten-nr, versichertennr, krankenvers.-nr, sozvers-nr, sozialvers.-nr, rentenvers.-nr, vsnr, ausweisdokument, lifelong physician number, lifelong doctor number, physician number, arzt-nr, kindergeldnummer, einheitliche fortbildungsnummer, betriebsstaettennummer, identitaetskarte, beihilfenummer, kv-nummer, versichertenkennung, schwerbehindertenausweis, dienstausweis, dienstausweis-nr | A999999999; 999999999
DK | cpr, cpr-nummer, cpr-nr, personnummer, udlændingenummer, autorisations-id, civil registration number | 999999-9999
DO | cédula dominicana, cédula de identidad y electoral | 999-9999999-9
DZ | numéro d'identification nationale, nin algérie, numéro d'identification fiscale, nif | 999999999999999999
EC | cédula ecuatoriana, cédula de ciudadanía ecuador | 999999999-9
EE | isikukood, isikukoodi, estonian personal id, isiku kood | 99999999999
EG | egyptian national id, tax registration number, الرقم القومي, الرقم الضريبي, بطاقة الرقم القومي, رقم قومي, رقم البطاقة, رقم قومى | 99999999999999
ES | nie, nif, dni, núm. s.s, núm s.s, nº afil s.s, nº afil ss, afil. s.s, núm afiliación s.s, número de identificación de extranjero, número de la seguridad social, tarjeta sanitaria, número de afiliación, cups, código unificado de punto de suministro, código cups, punto de suministro, nass, nº ss, n° ss, nº afiliación, nº de afiliación, nº documento, nº de documento, n.º ss, nº s.s, afiliación, num afiliación, número de colegiado, nº colegiado, num colegiado | 99999999A; 99/99999999/99
ET | fayda, fayda number, fayda id | 9999 9999 9999
FI | henkilötunnus, hetu, sotu, veronumero, personbeteckning, kela-kortti, ulkomaalaisnumero, oppijanumero, eurooppalainen sairaanhoitokortti, sairaanhoitokortti | 999999-999X
FR | numéro fiscal, numéro fiscal de référence, numéro d'immatriculation fiscale, numéro spi, titre de séjour, carte vitale, n° fiscal, n fiscal, num fiscal, n° ss, n°ss, immatriculation à la sécurité sociale, n° insee, n° d'assuré, n° allocataire, numéro allocataire, numéro d'allocataire, matricule caf, numéro france travail, identifiant france travail, identifiant pôle emploi, numéro d'électeur, numéro national d'électeur, n° électeur, n° d'électeur, numéro d'adhérent, n° adhérent, numéro adhérent | 9999999999999
GB | utr, unique taxpayer reference, unique taxpayer ref, upn, unique pupil number, unique learner number, uln, chi number, h&c number, share code, biometric residence permit, brp number, gmc number, gmc no, gmc reference number, nmc pin, nmc number, hmrc tax reference, hmrc reference, hmrc ref, tax reference, tax ref, taxpayer reference, tax ref no, tax ref number, tax reference no, taxpayer ref no, hcpc number, hcpc no, gdc number, gdc no, gphc number, goc number, nat ins no, nat ins number, nat. ins, government gateway user id, government gateway id, blue badge number, dbs certificate number, teacher reference number, ucas number, ucas id, ucas personal id, gnib number, irp number | 99999 99999; A999999999999
GE | პირადი ნომერი, georgian personal number | 99999999999
GH | ghana card, ghana card number, ghanacard, tin ghana, ssnit, nhis number, ghana card pin | AAA-999999999-9
GN | numéro d'identification fiscale permanent, nifp | 999999999
GR | arithmos forologikou mitroou, arithmos forologikou mitrwou, amka, αμκα, αριθμός μητρώου κοινωνικής ασφάλισης, afm, αφμ, αριθμός φορολογικού μητρώου, δελτίο ταυτότητας, αριθμός ταυτότητας, αριθμός μητρώου ασφαλισμένου, α.μ.α, άδεια διαμονής | 99999999999; AA 999999
GT | número de dpi, código único de identificación, nit guatemala | 9999 99999 9999
HK | hkid, hkid number, hong kong identity card, 香港身份證, 身份證號碼, hong kong id, hong kong id card | A999999(9)
HN | rtn, tarjeta de identidad honduras | 9999-9999-99999
HR | oib, osobni identifikacijski broj, osobna iskaznica, mbo | 99999999999
HU | személyi szám, személyi igazolvány, személyi igazolványszám, adóazonosító, adóazonosító jel, taj szám, taj-szám, taj, adóaz. jel, adóaz, taj sz, adóazon. jel, lakcímkártya, lakcímigazolvány | 999 999 999; 999999AA
ID | nik, nomor induk kependudukan, no ktp, ktp, nomor ktp, e-ktp, npwp, nomor pokok wajib pajak, kartu keluarga, no kk | 9999999999999999
IE | pps, ppsn, pps no, pps number, personal public service number, trn, medical card number, irp card | 9999999AA
IL | teudat zehut, mispar zehut, תעודת הזהות, israeli id, תעודת זהות, מספר זהות, ת"ז, ת״ז, ת.ז, tz number | 99999999-9
IN | ईपिक नंबर, ईपिक, वोटर आईडी, वोटर कार्ड, voter id, epic number, electoral photo identity card, virtual id, vid number, uan, universal account number, abha number, abha id, ration card, मतदाता पहचान, epic no, electoral photo id, elector id, samagra id, jan aadhaar, e-shram, eshram uan, apaar id, udid number, pf number, pf no | AAA9999999; 9999 9999 9999 9999
IQ | البطاقة الوطنية | 999999999999
IR | کد ملی, کدملی, iranian national id | 9999999999
IS | kennitala | 999999-9999
IT | tessera sanitaria, carta d'identità, numero carta d'identità, cie, permesso di soggiorno, ts n, n. tessera, tessera n, c.i. n, ci n, doc. n, documento n, doc. identità, documento identità, matricola inps, codice utente inps, tessera elettorale | AA99999AA
JP | 個人番号, マイナンバー, 基礎年金番号, 健康保険証, 保険者番号, 被保険者番号, 在留カード, 在留カード番号, 運転免許証, individual number, mynumber, kojin bangō, residence card, nenkin bango, kiso nenkin bango, juminhyo code, 外国人登録, 雇用保険番号, 外国人登録番号, health insurer card symbol number, insurer card number, 保険証の番号 | 9999 9999 9999
KE | kenya id, nat id, nat. id, nat id no, kra pin, huduma number, kenyan id, kenya national id, tax pin, personal identification number, nhif, nhif no, nssf no, nssf number, huduma namba, maisha namba, kitambulisho, kitambulisho nambari, nambari ya kitambulisho, namba ya kitambulisho | A999999999A
KR | 주민등록번호, 주민번호, 외국인등록번호, 외국인 등록번호, 운전면허번호, 여권번호, frn, foreigner registration number, alien registration number, resident registration number, south korean resident registration number, 주민 번호, jumin beonho, jumin number, jumin no, jumin, korean arc, korean arc number, arc number, arc no | 999999-9999999
KW | civil id, civil id number, الرقم المدني | 999999999999
KZ | иин, жсн, individual identification number, iin, iin number | 999999999999
LI | peid, personenidentifikationsnummer | 9999999
LK | ජාතික හැඳුනුම්පත් අංකය, හැඳුනුම්පත් අංකය, nic number, sri lankan nic | 999999999V
LT | personal numbers, asmens kodas, asmens kodo, lithuanian personal code, asmens | 99999999999
LU | matricule national, matricule social, sozialversicherungsmatrikel, matricule luxembourg, numéro matricule, matr, matricule | 9999999999999
LV | personas kods, personas koda, pers. kods, p.k, personas k | 999999-99999
MA | cnie, carte nationale d'identité électronique, identifiant fiscal | A999999
MD | idnp, idnp-ul | 9999999999999
ME | jmbg, јмбг, matični broj, jmb, jmb montenegro, jedinstveni matični broj | 9999999999999
MK | ембг, едб, единствен даночен број, едниствен даночен број, единствен матичен број, danočen broj, edinstven danočen broj, embg, матичен број, матичниот број | 9999999999999
MT | maltese id card, karta tal-identità | 9999999A
MU | mauritian id, mauritian national identifier, mauritius nic, mauritian nic, nic mauritius | A9999999999999
MX | rfc, registro federal de contribuyentes, clave de elector, clave elector, clave ine, número de seguridad social, imss, clave única, cédula profesional, num. seguro social, seguro social, cic ine, idmex | AAAA999999XXX
MY | mykad, nric, nric no, ic number, ic no, no kad pengenalan, nombor kad pengenalan, kad pengenalan, mykad number, no. kp, no. k/p, i/c no, i/c number, k/p, mykid, mypr | 999999-99-9999
MZ | nuit, número único de identificação tributária | 999999999
NG | nin, bvn, bank verification number, national identification number nigeria, virtual nin, voter identification number, lassra | 99999999999
NL | bsn, sofinummer, sofi-nummer, onderwijsnummer, identiteitskaartnummer, documentnummer, vreemdelingennummer, big-nummer, big-registratie, agb-code, burgerservicenr, doc.nr, identiteitsdocument, verblijfsdocument, verblijfsvergunning nr, docnr, id-kaartnummer, id-kaart, documentnr, document nr, uzi-nummer, patiëntnummer, zorgpolisnummer | 999999999; AA9999999
NO | fødselsnummer, fodselsnummer, personnummer, d-nummer, fnr, duf-nummer, dufnr, hpr-nummer, hpr-nr, helsepersonellnummer | 999999 99999
NP | nepali citizenship number, नागरिकता | 99-99-99-99999
NZ | inland revenue department, ird, ird number, ird no, nhi, nhi number, inland revenue number, national health index, national student number, msd client number, swn number | 99-999-999; AAA9999
PA | cédula panameña | 9-999-9999
PE | cui, cédula única de identidad, documento nacional de identidad perú, carné de extranjería, carnet de extranjería, carné extranjería, carnet extranjería, peruvian dni | 99999999-9
PH | philsys, philsys number, philid, sss number, sss no, gsis, umid, crn umid, philhealth, philhealth number, pag-ibig, pagibig, tin number, tin no, pag-ibig mid, prc license no, prc id no | 9999-9999-9999; 999-999-999-999
PK | cnic, cnic number, nicop, computerised national identity card, شناختی کارڈ, nic#, nic number | 99999-9999999-9
PL | pesel, dowód osobisty, numer dowodu, nr dowodu, seria i numer dowodu, nip, regon, pwz, npwz, nr pwz, numer prawa wykonywania zawodu, dowód, dowodu, do nr, dowodem osobistym, dowodem, dowodzie osobistym, nr ew, nr ewid, nr dow. os, dow. os, legitymacji, numer legitymacji, nr legitymacji, karta dużej rodziny, polish statistical number | AAA999999
PT | cartão de cidadão, número de cartão de cidadão, cartão cidadão, bilhete de identidade, número de utente, contribuinte, número de contribuinte, cc nº, cc n.º, cc n, nº contrib, n.º contrib, n.º de cidadão, n.º ss, n.º cc, cédula profissional, título de residência, autorização de residência, número de eleitor, nº de eleitor, nº beneficiário | 99999999 9 AA9
PY | cédula paraguaya, ruc paraguay, registro único de contribuyentes paraguay, paraguayan ci, ci paraguay, ci paraguaya | 9999999-9
QA | qid, qatar id, qatari id, الرقم الشخصي | 99999999999
RO | cnp, cod numeric personal, codul numeric personal, carte de identitate, buletin, serie ci, cod asigurat, card de sănătate, permis de ședere, permis ședere | 9999999999999
RS | jmbg, јмбг, jedinstveni matični broj, matični broj građana, lična karta, pib, poreski identifikacioni broj, пиб, порески идентификациони број, матични број | 9999999999999
RU | инн, снилс, огрн, огрнип, паспорт, серия и номер, серия и номер паспорта, полис омс, омс, идентификационный номер налогоплательщика, inn, snils, водительское удостоверение, ogrn, oms policy, psrn, primary state registration number, основной государственный регистрационный номер, паспортные данные, военный билет, внж, рвп, свидетельство о рождении | 999-999-999 99; 999999999999
SA | iqama, iqama number, saudi id, saudi national id, رقم الهوية, الهوية الوطنية, رقم الإقامة, رقم الحدود, hawiyya | 9999999999
SE | personnummer, samordningsnummer, organisationsnummer, svenskt personnummer, pers.nr, persnr, person nr, lma-kort, lma-nummer, beteckningsnummer, samordn.nr, samordn. nr, samordningsnr | 999999-9999
SG | nric, fin number, foreign identification number, uinfin | A9999999A
SI | emšo, emso, enotna matična številka, davčna številka, davčna | 9999999999999
SK | rodné číslo, číslo občianskeho preukazu, občiansky preukaz, dič, rod. č, rod.č, rod. číslo | 999999/9999
SN | ninea, cni sénégal | 999999999
SV | dui, documento único de identidad, número de identificación tributaria | 99999999-9
TH | เลขประจำตัวประชาชน, บัตรประจำตัวประชาชน, ประจำตัวประชาชนเลขที่, เลขบัตรประชาชน, บัตรประชาชน, thai id, thai national id, personal identification number, เลขบัตร, ปชช, เลขประจำตัว | 9 9999 99999 99 9
TN | tunisia tax number, matricule fiscal, matricule fiscale, carte d'identité tunisienne, tunisian cin, cin tunisie, cin tunisienne | 9999999A
TR | tc kimlik, tc kimlik no, t.c. kimlik no, kimlik no, kimlik numarası, tckn, vergi no, vergi numarası, vergi kimlik numarası, vkn, tc no, t.c. no, t.c, tc numarası, yabancı kimlik no, yabancı kimlik numarası, ykn, ikamet no, ikamet izni | 99999999999
TW | 身分證字號, 身份證字號, 國民身分證, 統一證號, 居留證號, taiwan id, 居留證, 健保卡號, taiwan arc, taiwan arc number, taiwan arc ui number, arc ui number, alien resident certificate number | A999999999
TZ | nida, nida number, nin tanzania, tanzanian nin | 99999999-99999-99999-99
UA | рнокпп, іпн, ідентифікаційний номер, ідентифікаційний код, унзр, rntrc, individual taxpayer registration number, ідентиф. код, посвідка на проживання, id-картка | 9999999999
UG | national identification number uganda, nin uganda, nira nin, ugandan nin, nira number | AA99999999XXXX
US | atin, ptin, adoption taxpayer identification number, preparer tax identification number, alien number, uscis number, medicaid id, medicaid number, green card number, individual taxpayer identification number, dod id, edipi, known traveler number, known traveller number, ktn, global entry, passid, voter registration no, voter reg number, voter id number, voter identification, travel document number, twic, twic number, ead card, state id, state id number, redress number, military id, military id number, va file number, va file no, dod benefits number, tricare id, tricare number, selective service number, nexus number, sentri number, uscis receipt number, uscis receipt no, uscis receipt | 999-99-9999; A99999999
UY | cédula uruguaya, cédula de identidad uruguay | 9.999.999-9
RW | indangamuntu, indangamuntu no, indangamuntu number, rwandan national id | 99999999999999
UZ | jshshir, pinfl, пинфл, жшшир, стир | 99999999999999
VE | cédula venezolana, rif, registro de información fiscal, registro de identificación fiscal | A-99999999-9
VN | cccd, cmnd, căn cước, căn cước công dân, chứng minh nhân dân, mã số thuế, mã số bảo hiểm xã hội, mã số định danh, cmtnd | 999999999999
ZA | rsa id, sa id, sa id number, south african id, said number, id number, identity document number, tax reference number, tax ref no, tax ref number, tax reference no, income tax number, omang, belastingverwysingsnommer, belastingnommer, inkomstebelastingnommer, identiteitsnommer | 9999999999999
ZM | nrc number, zambian nrc | 999999/99/9
ZW | zimbabwean id, zimbabwe national registration number, zimbabwean national id | 99-999999A99`

/** Numbers of companies, with which sole traders are known as well. */
const COMPANIES = `
AR | cbu | 9999999999999999999999
AT | uid-nummer, firmenbuchnummer, firmenbuch, fn-nummer, umsatzsteuer-identifikationsnummer, atu, uid nr | ATU99999999; FN 999999a
AU | acn, australian company number, arbn, australian registered body number | 999 999 999
BE | ondernemingsnummer, numéro d'entreprise, btw-nummer, kbo-nummer | BE 9999.999.999
BG | еик, булстат, bulstat | 999999999
BR | inscrição estadual, inscrição municipal | 999.999.999.999
BY | унп, unp, учетный номер плательщика, учётный номер плательщика | 999999999
CA | gst registration number, gst registration no, gst number, gst reg no, hst registration number, business number, craft business number, bn number, gst/hst, gst hst, hst number, goods and services tax number, goods and service tax number, quebec sales tax number, qst number, numéro de tvq, neq, numéro d'entreprise du québec | 99999 9999 RC9999
CH | unternehmens-identifikationsnummer, mwst-nummer, numéro ide, uid-nr | CHE-999.999.999
CL | rut empresa | 99.999.999-X
CN | 信用代码, 统一社会信用代码, 社会信用代码, 营业执照, uscc, unified social credit code, 纳税人识别号, 税务登记号, 税务登记证号, 工商注册号 | 9999999999999999XX
CO | nit empresa, nit número | 999.999.999-9
CR | cédula jurídica, cédula de persona jurídica, cpj | 9-999-999999
CZ | ičo, identifikační číslo osoby, dič | 99999999
DE | handelsregister, handelsregisternummer, hr-nummer, hr-nr, registernummer, register-nr, registergericht, hrb, hra, wirtschafts-identifikationsnummer, w-idnr, leitweg-id, ust-idnr, ustidnr, ust id nr, umsatzsteuer-identifikationsnummer, umsatzsteuer-id, betriebsnummer, leitweg, gläubiger-id, glaeubiger-id, gläubiger-identifikationsnummer, w-idnr. | HRB 99999; DE999999999
DK | cvr, cvr-nummer, cvr-nr, se-nummer, se-nr, p-nummer, p-nr | 99999999
DO | rnc, registro nacional del contribuyente, ncf, comprobante fiscal, números de comprobante fiscal | 9-99-99999-9
EC | registro único de contribuyentes, ruc ecuador | 9999999999001
EE | registrikood, käibemaksukohuslase, kmkr | 99999999
ES | código cuenta de cotización, código cuenta cotización, cif, código de identificación fiscal, número de identificación fiscal, nif-iva, nif iva | A99999999
FI | y-tunnus, y-tunnuksemme, y-tunnuksensa, alv-numero, alv nro, alv-tunniste, arvonlisäveronumero, business id, fo-nummer, fo-nr | 9999999-9
FO | vinnutal, v-number, v-tal | 999999
FR | finess, numéro finess, siren, siret, numéro siren, numéro siret, rcs, r.c.s., registre du commerce, registre du commerce et des sociétés, numéro rcs, n° d'accise, numéro d'accise, accise, n° tva, numéro de tva, tva intracommunautaire, excise number, identifiant créancier, identifiant créancier sepa, ics | 999 999 999 99999
GB | company reg, co. number, company reg number, company number, company registration number, company reg no, vat reg, vat registration, vat registration number, crn number, registered number, registered no, registered in england and wales no, charity number, charity no, registered charity, registered charity number, companies house no, companies house number, paye reference, paye ref, company no, co. no, co no, co. reg. no, co reg no | 99999999; GB999999999
GR | γεμη, vat greece | 999999999999
HU | adószám, közösségi adószám, anum, cégjegyzékszám | 99999999-9-99
ID | nib, nomor induk berusaha | 9999999999999
IE | cro number, cro, company registration office number | 999999
IL | ח.פ, ח״פ, מספר חברה, israeli company number | 999999999
IN | gstin, gst number, gst no, gst in, cin number, udyam, cin, corporate identity number | 99AAAAA9999A9AX
IS | vsk, vsk number, virðisaukaskattsnúmer | 99999
IT | p.iva, p. iva, partita iva, codice rea, codice sdi, codice univoco, rea, r.e.a, numero rea, n. rea | 99999999999
JP | hōjin bangō, houjin bangou, houjin bango, hojin bangou, 法人番号, 会社法人等番号, 適格請求書, 登録番号, corporate number | 9-9999-9999-9999
KR | 사업자등록번호, 사업자 등록번호, 사업자 등록 번호, 법인등록번호, brn, business registration number, biz reg no, biz reg num, biz reg number, biz no, business reg no, business reg number, 사업자번호 | 999-99-99999
KZ | бин, бсн, business identification number | 999999999999
LT | įmonės kodas, pvm kodas, mokėtojo kodas | 999999999
LU | numéro tva luxembourg, rcs luxembourg | LU99999999
LV | reģistrācijas numurs, pvn, pvn numurs | LV99999999999
MA | identifiant commun de l'entreprise, ice maroc | 999999999999999
MC | tva monaco | 99999999999
MD | idno | 9999999999999
ME | pib broj, jib, јиб | 99999999
MY | ssm, ssm number, ssm registration number | 999999999999
NG | rc number, cac number | RC 999999
NL | kvk, kvk-nummer, kvk nr, kamer van koophandel, kamer van koophandel nummer, btw-nummer, btw-id, btw-identificatienummer, rsin, loonheffingennummer, loonheffingsnummer, omzetbelastingnummer, incassant id, vestigingsnummer | NL999999999B99
NO | orgnr, organisasjonsnummer, org.nr, mva, mva-nummer, merverdiavgift, foretaksregisteret | 999 999 999; 999 999 999 MVA
NZ | nzbn | 9999999999999
OM | oman vat | OM9999999999
PE | ruc | 99999999999
PK | ntn, ntn number | 9999999-9
PL | krs, numer krs, numer regon | 9999999999
PT | nipc, número de pessoa coletiva, número de identificação fiscal, nuipc, número de matrícula, matrícula da sociedade | 999999999
RO | cod fiscal, codul fiscal, cod unic de înregistrare, onrc, nr reg com, codul unic de înregistrare, cod de înregistrare, codul de înregistrare, ordine din registrul comerţului, ordine din registrul comerțului, registrul comerţului, registrul comerțului, nr. reg. com, nrc | RO99999999
RU | кпп, огрнип, окпо | 999999999
SE | orgnr, org.nr, momsregistreringsnummer, momsnummer | 999999-9999
SG | uen, uen number, unique entity number, gst reg | 999999999A
SI | matična številka, id za ddv, davčna številka podjetja, identifikacijska številka za ddv | 99999999
SK | ičo, ič dph, identifikačné číslo organizácie, ič pre daň z pridanej hodnoty, identifikačné číslo pre daň | 99999999
SM | codice operatore economico | 99999
TH | memorandum of association number, moa number, เลขประจำตัวผู้เสียภาษีนิติบุคคล, เลขทะเบียนนิติบุคคล | 9-99-9-999-99999-9
SN | nationale des entreprises et associations, numéro d'identification nationale des entreprises | 9999999 9A9
TR | mersis, mersis no, mersİs, mersi̇s | 9999999999999999
TW | 統一編號, 統編, unified business number, ubn | 99999999
UA | єдрпоу, едрпоу, edrpou, identifier for enterprises and organizations | 99999999
UY | registro único tributario | 999999999999
VN | mã số doanh nghiệp | 9999999999
XX | vat-nr, vat nr, vat-nummer, company register number, company register numbers, commercial register number, vat number, vat no, vat id, vat identification number, vat reg no, tax registration no, company id number, companies house, trade register number, duns, duns number, eori, eori number, lei code, creditor identifier, sepa creditor identifier, sepa identifier, enterprise identifier, excise identifier, seed number, d-u-n-s, d-u-n-s number, registered office number, trade licence number, trade license number, commercial registration number, cr number, corporate registration number | AA999999999`

export interface NationalName {
  /** ISO 3166; `XX` for several countries. */
  readonly country: string
  readonly names: readonly string[]
  readonly formats: readonly string[]
}

const parse = (list: string): readonly NationalName[] =>
  list
    .trim()
    .split('\n')
    .map((line) => {
      const [country = '', names = '', formats = ''] = line.split('|').map((cell) => cell.trim())
      return {
        country,
        names: names.split(',').map((name) => name.trim()),
        formats: formats.split(';').map((format) => format.trim()),
      }
    })

export const PERSONAL_NAMES = parse(PERSONAL)
export const COMPANY_NAMES = parse(COMPANIES)

/** All names, in Latin letters also without accents, as people type them. */
export const namesOf = (list: readonly NationalName[]): readonly string[] => [
  ...new Set(list.flatMap(({ names }) => names.flatMap(withShorter).flatMap((name) => [name, plain(name)]))),
]
