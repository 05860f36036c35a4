/**
 * Documents and numbers of persons, in the languages of the G20, the European Union and their neighbours, with the forms that
 * nouns take before a number. One line for each language: `language | phrase, …`.
 */

const PASSPORTS = `
en | passport, passport number, passport no, passport num, passport id, passport card, passport book, pp no, pp number, pp#, pp #, ppt no, ppt#, travel document, travel document number, travel doc
de | reisepass, reisepassnummer, reisepass-nr, passnummer, pass-nr, pass nr, passnr, reisepasses, nummer des reisepasses, schweizer pass, österreichischer pass
fr | passeport, passeports, numéro de passeport, n° de passeport
es | pasaporte, número de pasaporte, nº de pasaporte, libreta de pasaporte
it | passaporto, numero di passaporto, numero passaporto
pt | passaporte, número do passaporte, número de passaporte
nl | paspoort, paspoortnummer, paspoort-nr, paspoortnommer
pl | paszport, paszportu, numer paszportu, nr paszportu
cs | pasu, číslo pasu, cestovní pas, cestovního pasu, cestovního dokladu
sk | cestovný pas, cestovného pasu
hu | útlevél, útlevélszám, útlevél száma, útlevele
ro | pașaport, paşaport, pașaportul, pașaportului
bg | паспорт, паспорта, задграничен паспорт, международен паспорт
hr | putovnica, putovnice, broj putovnice, pasoš, broj pasoša
sl | potni list, potnega lista, številka potnega lista
el | διαβατήριο, διαβατηρίου, αριθμός διαβατηρίου
lt | pasas, paso numeris, paso nr
lv | pase, pases numurs, pases nr
et | passi, passinumber, passi number
fi | passi, passin, passin numero, passinumero, passinro, passin nro
sv | passnummer, svenskt pass, svenska pass, passnr, pass har nummer, passets nummer
da | pasnummer, pas nr, dansk pas, pasnr
no | passnummer, norsk pass, passnr
tr | pasaport, pasaport no, pasaport numarası, pasaportu
ru | паспорт, паспорта, паспорту, паспортом, загранпаспорт, загранпаспорта, заграничный паспорт, russian passport
uk | закордонний паспорт
ar | جواز السفر, جواز سفر, رقم الجواز, رقم جواز السفر
he | דרכון, מספר דרכון
hi | पासपोर्ट
id | paspor, nomor paspor
vi | hộ chiếu, số hộ chiếu
th | หนังสือเดินทาง
zh | 护照, 护照号, 护照号码, 護照, 護照號碼
ja | パスポート, パスポート番号, 旅券, 旅券番号
ko | 여권, 여권번호, 여권 번호`

const DRIVING_LICENCES = `
en | driver license, driver licence, drivers license, drivers licence, driver s license, driver s licence, driving license, driving licence, license number, licence number, license no, licence no, driver license number, drivers license number, dl, dl number, dl no, dln, dl#, driving permit, driver id, driver number, drivers lic, driver lic, driver s lic, driver no, dvla, dvla number, operator license, license #, licence #, license#, licence#, lic#, lic #, oln, driver card, operator lic, operator lic no, driving licence no, dl id, drivers lisence, driver lisence, driving lisence, drivers liscence, driver liscence, cdl, cdl number, cdl no, state dl, commercial driver license, learner permit
de | führerschein, führerscheinnummer, führerschein-nr, fahrerlaubnis, fahrerlaubnisnummer, führerausweis, führerausweisnummer, fuehrerschein, fuehrerscheinnummer, fuehrerschein-nr, fuehrerausweis, lenkerberechtigung, kartenführerschein
fr | permis de conduire, numéro de permis, n° de permis, numéro du permis, permis conduire, n° permis, num permis, numéro permis, no permis, permis n°
es | permiso de conducir, carnet de conducir, licencia de conducir, licencia de manejo, licencia de conducción, permiso conducir, carné de conducir, carnet conducir, licencia conducir, licencia manejo, brevete, licencia de conducir nº
it | patente di guida, patente, numero patente, numero di patente, patente n, n. patente, num patente
pt | carta de condução, cnh, carteira de motorista, carteira nacional de habilitação, carteira de habilitação, habilitação
nl | rijbewijs, rijbewijsnummer, rijbewijs nr, nummer rijbewijs, rybewysnommer, rybewys, bestuurslisensie
pl | prawo jazdy, prawa jazdy, numer prawa jazdy
cs | řidičský průkaz, řidičského průkazu, číslo řidičského průkazu
sk | vodičský preukaz, vodičského preukazu
hu | vezetői engedély, jogosítvány, jogosítványszám, vezetői engedély száma
ro | permis de conducere, permisul de conducere, permisului de conducere
bg | шофьорска книжка, свидетелство за управление
hr | vozačka dozvola, vozačke dozvole, broj vozačke
sl | vozniško dovoljenje, vozniškega dovoljenja
el | άδεια οδήγησης, άδειας οδήγησης, δίπλωμα οδήγησης
lt | vairuotojo pažymėjimas, vairuotojo pažymėjimo
lv | vadītāja apliecība, vadītāja apliecības, autovadītāja apliecība
et | juhiluba, juhiloa, juhiloa number
fi | ajokortti, ajokortin, ajokortin numero
sv | körkort, körkortsnummer, körkortet
da | kørekort, kørekortnummer
no | førerkort, førerkortnummer
tr | ehliyet, ehliyet no, ehliyet numarası, sürücü belgesi, sürücü belgesi no
ru | водительское удостоверение, водительского удостоверения, водительские права, номер ву
ar | رخصة القيادة, رخصة قيادة, رقم الرخصة
he | רישיון נהיגה
hi | ड्राइविंग लाइसेंस
id | surat izin mengemudi, nomor sim
vi | bằng lái xe, giấy phép lái xe
th | ใบขับขี่
zh | 驾驶证, 驾驶证号, 驾照, 驾照号, 駕照, 駕駛執照
ja | 運転免許, 運転免許証, 運転免許証番号, 免許証番号, 免許番号
ko | 운전면허, 운전면허증, 운전면허번호, 면허번호`

const NUMBERS = `
en | bc services card, services card, rsi number, tic number, identity document, identity document number, id document, id document number, id number, id no, government-issued id, citizen card, citizens card, identity no, personal numeric code, personal identity number, labor identification number, national register, national register number, population registry, registry code, medical insurance policy, health card, health card number, health id, medicare, alien registration, coordination number, medical insurance, state insurance
de | identitätskarte, id-karte, id-nummer, personenkennziffer, personenkennzahl, sv-nr, sozialversicherungsnr, rv-nummer, rvnr, versicherungsnr, steuer-identifikationsnummer, steuerliche identifikationsnummer, steuer id nr, steuer-identnummer, identnummer, krankenkassennummer, versichertennr, kv-nummer, e-card, ahv-nr, ahvn13, ahvn, sozialversicherung, personalausweis-nr, dokumentennummer
fr | sécurité sociale, n° sécu, numéro de sécu, numéro sécu, nir, nirpp, numéro ss, numéro insee, carte d'identité, carte nationale d'identité, carte de séjour, numéro de registre national, numéro d'assurance sociale, assurance maladie, carte d'assurance maladie, matricule, numéro d'identification national, spi, identifiant fiscal, identifiant national, numéro de matricule, carte santé, pièce d'identité
es | documento nacional de identidad, documento de identidad, número de cédula, cédula de ciudadanía, seguridad social, nuss, naf, clave de elector, clave electoral, credencial de elector, credencial para votar, credencial ine, nss, imss, tarjeta sanitaria, tarjeta de residencia, permiso de residencia, clave única de registro, identificación laboral, número de extranjero, identidad de extranjero, número de identidad de extranjero, número de documento, libreta cívica
it | carta d'identità, carta identità, documento d'identità, c.f, cod. fisc, cod fiscale, codice fiscale, tessera sanitaria, permesso di soggiorno, numero documento, n. documento
pt | bilhete de identidade, cartão do cidadão, cartão de cidadão, segurança social, niss, número fiscal, número de utente, utente, documento de identidade, carteira de identidade, título de eleitor, título eleitoral, pis, pasep, pis/pasep, nis/pis, nit/pis, cadastro de pessoas físicas, número do rg, carteira de trabalho
nl | identiteitskaart, identiteitskaartnummer, identiteitsbewijs, id-kaart, id-bewijs, documentnummer, insz-nummer, rijksregister, persoonsnummer, fiscaal nummer, sociale zekerheid, identiteitsnommer, verblijfsvergunning, id-nommer
pl | dowód osobisty, dowodu osobistego, numer dowodu osobistego, seria i nr dowodu, nr pesel, identyfikacji podatkowej, numer identyfikacji podatkowej, karta pobytu, karty pobytu, numer ubezpieczenia, dokument tożsamości, dokumentu tożsamości
cs | rodné číslo, rodného čísla, rodným číslem, r.č, občanský průkaz, občanského průkazu, číslo op, číslo pojištěnce, daňové identifikační číslo, číslo dokladu, průkaz totožnosti
sk | občiansky preukaz, občianskeho preukazu, rodné číslo, rodného čísla, rodným číslom, číslo poistenca, daňové identifikačné číslo
hu | személyi szám, személyi száma, személyi azonosító, személyi azonosító jel, személyi igazolvány, személyi igazolvány száma, személyi igazolványszám, személyi igazolványom, adóazonosító jel, adóazonosító szám, adóazonosító jele, taj szám, taj száma, társadalombiztosítási, társadalombiztosítási azonosító, tb szám, okmányszám, igazolványszám, okmányazonosító
ro | cod numeric, cod numeric personal, codul numeric personal, carte de identitate, cartea de identitate, cărții de identitate, act de identitate, actul de identitate, seria și numărul, serie și număr, seria ci, cod de identificare fiscală, ci seria, buletin de identitate
bg | единен граждански номер, лична карта, лична карта номер, личната карта, личен номер, личен номер на чужденец, лнч, lnch, lnc number, осигурителен номер, документ за самоличност, egn
hr | osobni identifikacijski broj, osobna iskaznica, osobne iskaznice, broj osobne iskaznice, matični broj osiguranika, jmbg, porezni broj, lična karta, lične karte, matični broj
sl | osebna izkaznica, osebne izkaznice, osebni dokument, davčna številka, davčne številke, davčno številko, enotna matična številka občana, matična številka občana, zzzs, zdravstvenega zavarovanja
el | ταυτότητα, ταυτότητας, δελτίο ταυτότητας, δελτίου ταυτότητας, αδτ, α.δ.τ, αριθμός ταυτότητας, α.φ.μ, α.μ.κ.α, φορολογικού μητρώου, φορολογικό μητρώο, αριθμός φορολογικού μητρώου, κοινωνικής ασφάλισης, greek identity
lt | asmens kodas, asmens kodo, asmens kodą, tapatybės kortelė, tapatybės kortelės, asmens tapatybės kortelė, mokesčių mokėtojo kodas, socialinio draudimo
lv | personas kods, personas koda, personas kodu, personas kodam, personas apliecība, personas apliecības, nodokļu maksātāja
et | isikukood, isikukoodi, isikukoodiga, id-kaart, id-kaardi, id-kaardi number, isikutunnistus, isikutunnistuse, dokumendi number
fi | henkilötunnus, henkilötunnuksen, henkilötunnukseni, henkilötunnuksensa, henkilötunnukseksi, hetuni, sosiaaliturvatunnus, sosiaaliturvatunnuksen, henkilökortti, henkilökortin, henkilöllisyystodistus, verotunnus, veronumero
sv | personnummer, personnumret, personnr, samordningsnummer, identitetskort, id-kort, id-kortsnummer, nationellt id-kort, id-handling, skattenummer
da | cpr-nummer, cpr-nummeret, personnummer, personnummeret, identitetskort, id-kort, sundhedskort, legitimation
no | fødselsnummer, fødselsnummeret, fødselsnr, personnummer, personnummeret, personnr, d-nummer, identitetskort, id-kort
mt | tal-identità, karta tal-identità, karta tal-identita, numru tal-karta
is | kennitala, kennitölu, nafnskírteini
tr | kimlik, kimlik no, kimlik numarası, tc no, tc kimlik, tc kimlik no, kimlik numaram, nüfus cüzdanı, vergi kimlik, vergi numarası, vergi no, sgk no, sgk sicil no, sosyal güvenlik numarası
ru | страховой номер, страхового номера, страховое свидетельство, идентификационный номер, идентификационный номер налогоплательщика, номер налогоплательщика, налоговый номер, удостоверение личности, удостоверения личности, номер полиса, номер полиса омс, полис, снилс, инн, снилса, вид на жительство, ssn russia, russian tax number
uk | ідентифікаційний номер, реєстраційний номер облікової картки, рнокпп, іпн
ar | رقم الهوية, الهوية الوطنية, رقم الهوية الوطنية, بطاقة الهوية, رقم بطاقة الهوية, الرقم الوطني, رقم الإقامة, الإقامة, رقم الضمان الاجتماعي, الرقم الضريبي, الرقم المدني, رقم السجل المدني, السجل المدني
he | תעודת זהות, תעודת הזהות, מספר זהות, מספר הזהות
hi | आधार, आधार संख्या, आधार नंबर, पैन, पैन नंबर, पैन कार्ड, मतदाता पहचान पत्र
id | nomor identitas, kartu identitas, nomor induk, nomor ktp, nomor npwp, nomor bpjs, bpjs, kartu tanda penduduk, no. ktp, no ktp, indonesian identity
ms | kad pengenalan, nombor kad pengenalan
vi | căn cước, căn cước công dân, chứng minh nhân dân, mã số thuế
th | เลขประจำตัวประชาชน, เลขประจำตัวผู้เสียภาษี
zh | 身份证, 身份证号, 身份证号码, 身份證, 身份證號碼, 身份證號, 居民身份证, 居民身份证号码, 身分證, 社会保障号, 社会保障号码, 社会保障卡, 社保卡号, 社保号, 税号, 证件号码, 证件号, 永久居留证
ja | 個人番号, マイナンバー, 基礎年金番号, 年金番号, 年金手帳, 健康保険証, 保険証番号, 被保険者番号, 在留カード番号, 住民票コード, 身分証番号
ko | 주민등록번호, 주민번호, 주민 등록 번호, 외국인등록번호, 외국인등록증, 건강보험증, 신분증 번호, 신분증번호, 납세자번호`

const COMPANIES = `
en | gst/hst, hst number, chamber of commerce, chamber of commerce number, ogrn, kpp, corporate number, company tax id, tax registration number, business number, federal tax id
de | handelsregister-nr, umsatzsteuer-identifikationsnummer, mwst-nr, ust-id-nr, firmenbuch-nr, gewerberegisternummer
fr | numéro de tva intracommunautaire, tva intracommunautaire, numéro siren, numéro siret, immatriculation, rcs
es | nif de la empresa, cif de la empresa, nif empresa, registro mercantil
it | numero rea, numero di iscrizione, partita iva
pt | cadastro nacional da pessoa jurídica, nire, inscrição estadual
pl | numer regon, numer krs, numer nip
cs | identifikační číslo osoby, identifikační číslo, ič dph
hu | adószám, adószáma, közösségi adószám, cégjegyzékszám
ro | cod unic de înregistrare, cod de înregistrare fiscală, cod de înregistrare, nr. de înregistrare, registrul comerțului
bg | идентификационен номер по ддс, ддс номер, номер по ддс, единен идентификационен код
hr | porezni broj tvrtke, mbs, matični broj subjekta
sl | id za ddv, identifikacijska številka za ddv
el | αριθμός γεμη, γενικού εμπορικού μητρώου
lt | įmonės kodas, įmonės kodo, pvm mokėtojo kodas, pvm kodas
lv | reģistrācijas numurs, reģistrācijas nr, pvn reģistrācijas numurs
et | registrikood, registrikoodi, kmkr number, kmkr
fi | y-tunnus, y-tunnuksen, yritystunnus, yritystunnuksen, alv-tunnus, alv-numero
sv | organisationsnummer, organisationsnumret, vat-nummer, momsregistreringsnummer
da | cvr-nummer, cvr-nr, momsnummer, moms nr
no | organisasjonsnummer, organisasjonsnr, org.nr, foretaksnummer
tr | mersis no, vergi sicil no, ticaret sicil no
ru | огрн, огрнип, кпп, окпо, инн организации, инн юридического лица
ar | السجل التجاري, رقم السجل التجاري, الرقم الضريبي, رقم التسجيل الضريبي
zh | 统一社会信用代码, 纳税人识别号, 营业执照号
ja | 法人番号, 会社法人等番号, 適格請求書発行事業者登録番号
ko | 사업자등록번호, 사업자번호, 법인등록번호`

const parse = (list: string): readonly string[] => [
  ...new Set(
    list
      .trim()
      .split('\n')
      .flatMap((line) => line.slice(line.indexOf('|') + 1).split(','))
      .flatMap((phrase) => variants(phrase.trim())),
  ),
]

/** Nouns as forms shorten them. */
const SHORTER: readonly (readonly [noun: RegExp, short: string])[] = [
  [/nummer$/u, 'nr'],
  [/nummer$/u, '-nr'],
  [/ licen[cs]e/u, ' lic'],
  [/ number$/u, ' no'],
  [/ number$/u, ' num'],
  [/číslo$/u, 'č'],
  [/seguridad social/u, 'seg social'],
  [/segurança social/u, 'seg social'],
  [/^documento /u, 'doc '],
  [/^(?:número|nº) de /u, 'núm '],
]

/** A name, and as forms write it for want of space. */
export const withShorter = (name: string): readonly string[] => [
  name,
  ...SHORTER.filter(([noun]) => noun.test(name)).map(([noun, short]) => name.replace(noun, short)),
]

/** As people and member names write a phrase: shortened, without accents, without apostrophes, `№` for `n°`. */
const variants = (phrase: string): readonly string[] => {
  const all = withShorter(phrase).flatMap((one) => [one, plain(one)])
  return all.flatMap((one) => (/[dl]'/.test(one) ? [one, one.replace(/([dl])'/g, '$1 ')] : [one]))
}

/** Letters without a mark that could be taken off, as keyboards and names of columns have them. */
const TYPED: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', ə: 'e', þ: 'th' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ё: 'е' },
}

/** Letters of Latin and Greek lose their marks; a Greek title has none. An Arabic alif loses its hamza. */
export const plain = (name: string): string => {
  const typed = name.replace(/[łøđðıßæœəþأإآё]/g, (letter) => TYPED[letter]!)
  const isMarked = /^[\x20-\u024f\u0370-\u03ff\u1e00-\u1eff\u2019°]+$/u.test(typed)
  return isMarked ? typed.normalize('NFD').replace(/\p{M}/gu, '') : typed
}

export const PASSPORT_WORDS = parse(PASSPORTS)
export const DRIVING_LICENCE_WORDS = parse(DRIVING_LICENCES)
export const NUMBER_WORDS = parse(NUMBERS)
export const COMPANY_NUMBER_WORDS = parse(COMPANIES)
