/**
 * Texts with places for names: chats, mails, tickets, CVs, records, forms, JSON and tool results. Marks of names are
 * `{per}`, `{given}`, `{family}`, `{loc}`, `{city}`, `{country}`, `{street}` and `{org}`; other marks are filled with
 * words that are no names.
 */
const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('⏎', '\n'))

export const EN = lines(`
My name is {per} and I live in {city}.
My name is {per}. I ordered a {Product} on {date} and it has not arrived.
Hi, I'm {given} from {org}.
Hello, this is {per} calling from {org} in {city}.
I am {per}, a {job} at {org}.
I'm {given}, nice to meet you.
Please call me {given}.
My wife {given} and I moved to {city} last {Month}.
My son {given} goes to {org}.
My boss, {per}, wants the report by {Day}.
My manager {given} said that {given} would handle it.
Our customer {per} complained about the {Product}.
Our client {org} is based in {city}, {country}.
The patient, {per}, was admitted to {org} on {date}.
Patient {per}, born {date}, presents with chest pain.
Patient: {per}⏎DOB: {date}⏎Address: {n} {street}, {city}⏎Physician: Dr. {family}
Dr. {family} prescribed {n} mg of Ibuprofen.
Dr. {per} will see you on {Day} at {time}.
Mr. {family} asked for a refund.
Mrs. {family} and Mr. {family} signed the contract with {org}.
Ms {family} will join us in {city}.
Dear {given},⏎⏎Thank you for your message of {date}.⏎⏎Best regards,⏎{per}
Dear Mr. {family},⏎⏎We are pleased to inform you that {org} has approved your loan.⏎⏎Sincerely,⏎{per}⏎{Job}⏎{org}
Dear Ms. {family},⏎Your appointment at {org} is on {Day}, {date}.
Dear Dr. {family}, I am writing to apply for the position of {Job} at {org}.
Dear Sir or Madam,⏎I would like to cancel my subscription.⏎Regards,⏎{per}
Hi {given},⏎⏎Can you send me the {Head} by {Day}?⏎⏎Thanks,⏎{given}
Hi {given}, hi {given},⏎please find attached the {Head}.⏎Cheers⏎{given}
Hey {given}! Are you coming to {city} on {Day}?
Hello {per}, your order {id} has shipped.
Good morning {given},⏎just a quick reminder about our meeting with {org}.
Thanks {given}!⏎⏎Kind regards,⏎{per}⏎{Job}, {org}⏎{n} {street}, {city}⏎{phone}
Yours sincerely,⏎{per}
Best,⏎{given}
Regards,⏎{given} {family}⏎{org}
Many thanks, {given}
From: {per} <{email}>⏎To: {per} <{email}>⏎Subject: {Head}⏎⏎Hi {given},⏎see below.
From: {per}⏎Sent: {Day}, {date} {time}⏎To: {per}; {per}⏎Cc: {per}⏎Subject: RE: {Head}
On {date}, {per} <{email}> wrote:⏎> Let us meet in {city}.
To: {per} ({org})
Name: {per}⏎Email: {email}⏎Phone: {phone}⏎City: {city}⏎Country: {country}⏎Company: {org}
Full name: {per}
First name: {given}⏎Last name: {family}⏎Employer: {org}
Name: {per}, Age: {age}, City: {city}
Customer: {per}⏎Account manager: {per}⏎Region: {loc}
Customer name: {per} | Order: {id} | Ship to: {city}
Contact: {per}, {phone}
Emergency contact: {per} ({phone})
Applicant: {per}; Employer: {org}; Place of birth: {city}
Attendees: {per}, {per}, {per}
Present: {given}, {given}, {given} and {given}
Assignee: {per}⏎Reporter: {per}⏎Priority: High⏎Status: Open
Tenant: {per}⏎Landlord: {org}
Guest: {per}, arriving from {city} on {Day}
Beneficiary: {per}, Bank: {org}
Signed by {per} in {city} on {date}.
{"name": "{per}", "email": "{email}", "city": "{city}", "company": "{org}"}
{"firstName": "{given}", "lastName": "{family}", "country": "{country}"}
{"user":{"full_name":"{per}","location":"{city}, {country}"},"status":"Active"}
{"employee": "{per}", "employer": "{org}", "title": "{Job}"}
{"patient_name":"{per}","hospital":"{org}","diagnosis":"Type {n} Diabetes"}
{"customer":{"first_name":"{given}","last_name":"{family}"},"shipping":{"street":"{n} {street}","city":"{city}"}}
{"from": "{per}", "to": "{per}", "body": "See you in {city}!"}
{"title": "{Head}", "status": "Done", "language": "{Lang}", "type": "Feature"}
{"label": "{Head}", "month": "{Month}", "day": "{Day}", "product": "{Product}"}
name: {per}⏎city: {city}⏎org: {org}
name={per}; city={city}
id,name,city,company⏎{n},{per},{city},{org}⏎{n},{per},{city},{org}
| Name | City | Company |⏎|---|---|---|⏎| {per} | {city} | {org} |⏎| {per} | {city} | {org} |
<name>{per}</name><city>{city}</city><employer>{org}</employer>
1. {per} - {org}⏎2. {per} - {org}⏎3. {per} - {org}
- {per} ({Job})⏎- {per} ({Job})
* {org}: {n} units⏎* {org}: {n} units
{per}⏎{n} {street}⏎{city}⏎{email} | {phone}⏎⏎Experience⏎{Job}, {org}, {city} ({year}-{year})⏎{Job}, {org}, {city} ({year}-{year})⏎⏎Education⏎{org}, {year}⏎⏎Skills⏎{Tech}, {Tech}, {Tech}, {Lang}
{per} is a {job} with {n} years of experience at {org} and {org}.
{per} worked at {org} from {year} to {year}.
{per} studied at {org} in {city}, {country}.
{given} was born in {city} and grew up in {loc}.
{per} lives at {n} {street}, {city}.
{given} lives in {city} with her husband {given}.
She met {given} in {city} in {year}.
He told {given} that {given} had left for {country}.
I spoke with {per} from {org} yesterday.
I talked to {given} and {given} about the {Head}.
Ask {given} whether {org} has paid invoice {id}.
Can you write a letter to {per} at {org}?
Please forward this to {given} in {loc}.
Send the parcel to {per}, {n} {street}, {city}, {country}.
Ship to: {per}, {n} {street}, {city}
{per} called at {time} about order {id}.
{per} (age {age}) lives with {given} in {city}.
According to {per}, {org} will open an office in {city}.
{org} announced on {Day} that {per} will become its new {Job}.
{org} and {org} signed an agreement in {city}.
{org} hired {per} as {Job} in {Month}.
{org} is suing {org} in {loc}.
{org} reported revenue of {money} in {year}.
I work for {org}. 
I work at {org} in {city} as a {job}.
She joined {org} in {year} after leaving {org}.
We bought it from {org} in {city}.
My account at {org} was blocked.
I have an interview at {org} on {Day}.
Is {org} hiring in {city}?
The headquarters of {org} are in {city}.
Shares of {org} rose after {per} resigned.
We fly from {city} to {city} via {city}.
The train from {city} to {city} leaves at {time}.
How far is it from {city} to {city}?
What is the weather in {city} on {Day}?
We are planning a trip to {country} in {Month}.
They moved from {country} to {city}.
I grew up in {city}, {loc}.
He was deported from {country} to {country}.
Flights to {city} and {city} are cancelled.
Offices: {city}, {city}, {city}
Locations include {city}, {city} and {city}.
{city}, {date} -- {org} said on {Day} that sales fell.
{city} is the capital of {country}.
The mayor of {city} met {per}.
Near {city}, {loc}
Ticket {id}: {per} cannot log in to {Tech}. Escalated to {given} ({org}).
Summary: {given} reports that the {Product} fails in {city}.
[{time}] {given}: are you there?⏎[{time}] {given}: yes, one moment
{given}: Hello!⏎{given}: Hi {given}, how are you?
@{handle} thanks {given}!
User: What did {per} say?⏎Assistant: {given} said that {org} agreed.
Agent {given} ended the chat with {per}.
Caller identified herself as {per}, daughter of {per}.
Interview with {per}, {Job} of {org}
Witness {per} testified that {family} had been in {city}.
Plaintiff {per} v. Defendant {org}
In the matter of {per} and {org}
The contract between {org} and {per} dated {date}
{family} said he would appeal.
"{Quote}," said {per}.
"{Quote}," {family} told {org}.
{family}, {age}, was arrested in {city}.
{per}, {age}, of {city}, won the race.
{given} {family}'s car was found in {city}.
{given}'s mother called.
I saw {given}'s mail about {org}'s new office.
{org}'s {Job}, {per}, resigned.
{city}'s mayor resigned.
Invoice {id}⏎Bill to: {per}, {org}⏎Total: {money}
Prescription for {per}: Amoxicillin {n} mg
Referred by Dr. {family} to {org}.
Lab results of {per} dated {date}
Next of kin: {per}
Mother: {per}⏎Father: {per}⏎Child: {given}
Meeting notes {date}⏎Participants: {given}, {given}, {per}⏎Topic: {Head}⏎{given} to contact {org}.
{given} will prepare the slides; {given} books the room.
Action items:⏎- {given}: update the {Head}⏎- {given}: call {org}
Happy birthday, {given}!
Congratulations to {per} on the new role!
Rest in peace, {per}.
RT @{handle}: {per} is in {city}
Follow {per} and {org} on {Tech}
Looking for {given} in {city}
Summarise this mail from {per}: the delivery to {city} is late.
Translate for {given}: see you in {city}.
Write a birthday card for {given}, who turns {age}.
Draft a reference letter for {per}, who worked for me at {org}.
Who is {per}?
When did {per} die?
Tell me about {org}.
What does {org} do?
`)

export const PLAIN = lines(`
What is the capital of this country?
The {Head} is due on {Day}.
Please review the {Head} before {Day}, {Month} {n}.
In {Month} {year} the price of {Product} rose to {money}.
How do I install {Tech} on {Tech}?
{Tech} is faster than {Tech} for this task.
Use {Tech} with {Tech} and {Tech}.
Write a {Tech} function that sorts a list.
Explain the difference between {Tech} and {Tech}.
The {Lang} word for house is hard to spell.
She speaks {Lang}, {Lang} and {Lang}.
{Lang} food is my favourite.
Error: Cannot read properties of undefined
Warning: The {Head} has expired.
Status: Open⏎Priority: High⏎Due: {date}
Dear Sir or Madam,
Dear Customer, Dear Team, Dear All,
Kind Regards
Thank You Very Much
Best Regards,⏎The Support Team
## {Head}⏎⏎- {Head}⏎- {Head}
# {Head}
**{Head}**: see below
{Head}⏎{Head}⏎{Head}
Section {n}: {Head}
Chapter {n}. {Head}
Table of Contents
Frequently Asked Questions
Terms and Conditions
Click Save, then Close.
Press Ctrl and Enter. Open Settings and choose Privacy.
Go to File > Save As.
Merry Christmas and Happy New Year!
On {Day} and {Day} we are closed.
Monday, Tuesday, Wednesday, Thursday and Friday
January, February and March
Name:⏎Address:⏎City:⏎Country:
First Name | Last Name | Date of Birth | Phone Number
{"name": "Default", "type": "String", "required": true}
{"status": "Pending", "level": "Warning", "message": "Timeout"}
I love {Product}.
The {Product} costs {money}.
The {Job} resigned.
We are looking for a {Job}.
Position: {Job}
As a {Job}, I want to see the {Head}.
Step {n}: Mix the flour. Add the sugar. Bake for {n} minutes.
True or False? Yes or No?
Question {n}: Which of these is correct? Answer: B
A. Red B. Blue C. Green
Let x be a number. Then, by Theorem {n}, it follows.
See Figure {n} and Table {n}.
GET /api/users HTTP/1.1⏎Content-Type: application/json
INFO Server started⏎WARN Retry {n}⏎ERROR Timeout
I think that It Works. OK, Great! Wow.
He is Catholic. They are Muslims, Christians and Jews.
The Bible, the Koran and the Torah
Internet, Wi-Fi, Bluetooth, GPS and USB
CEO, CFO, HR, IT, FAQ, PDF, HTML, API, TV, PC, DVD, ATM, VAT
World War II, the Renaissance and the Middle Ages
The Beatles song, the Mona Lisa and Harry Potter are famous.
Version {n} of {Product} for {Tech} is out.
`)

export const DE = lines(`
Mein Name ist {per} und ich wohne in {city}.
Ich heiße {per} und arbeite bei {org}.
Hallo, ich bin {given} aus {city}.
Sehr geehrter Herr {family},⏎vielen Dank für Ihre Nachricht vom {date}.⏎Mit freundlichen Grüßen⏎{per}
Sehr geehrte Frau {family},⏎anbei die Unterlagen.⏎Mit freundlichen Grüßen⏎{per}⏎{org}
Sehr geehrte Frau Dr. {family}, wir bestätigen Ihren Termin am {date}.
Lieber {given},⏎wie geht es dir in {city}?⏎Liebe Grüße⏎{given}
Liebe {given}, lieber {given},
Hallo {given},⏎kannst du {given} die Liste schicken?⏎Danke und Gruß⏎{given}
Viele Grüße, {given}
Unser Kunde {per} aus {city} hat reklamiert.
Unsere Kundin Frau {family} wartet auf die Lieferung.
Herr {family} und Frau {family} haben unterschrieben.
Der Patient {per}, geboren am {date}, wurde in das {org} eingeliefert.
Patient: {per}⏎Geburtsdatum: {date}⏎Wohnort: {city}⏎Hausarzt: Dr. {family}
Name: {per}⏎Anschrift: {street} {n}, {city}⏎Telefon: {phone}
Vorname: {given}⏎Nachname: {family}⏎Ort: {city}⏎Firma: {org}
Ansprechpartner: {per}, {org}
Von: {per}⏎An: {per}⏎Betreff: Angebot
{"name": "{per}", "ort": "{city}", "firma": "{org}"}
{"vorname": "{given}", "nachname": "{family}"}
{per} arbeitet seit {year} bei {org} in {city}.
{per} wurde in {city} geboren und studierte an der {org}.
{given} wohnt in {city} bei seiner Tante {given}.
Die {org} hat ihren Sitz in {city}.
Die {org} beliefert die {org} in {country}.
Der Zug von {city} nach {city} hat Verspätung.
Wir fahren im Sommer nach {country}.
In {city} und {city} regnet es.
Mein Chef {per} will den Bericht am Montag.
Meine Tochter {given} geht in {city} zur Schule.
Schreibe einen Brief an {per} in {city}.
Teilnehmer: {per}, {per}, {per}
Ich habe mit {per} von der {org} gesprochen.
Laut {per} öffnet {org} eine Filiale in {city}.
`)

export const DE_PLAIN = lines(`
Die Rechnung ist am Montag fällig und der Betrag ist hoch.
Das Auto steht in der Garage. Der Hund schläft im Garten.
Bitte senden Sie die Unterlagen an die Abteilung. Vielen Dank für Ihre Hilfe.
Mit freundlichen Grüßen
Sehr geehrte Damen und Herren,⏎ich möchte meinen Vertrag kündigen.
Wie wird das Wetter am Wochenende? Die Sonne scheint.
Im Januar beginnt das neue Jahr mit Schnee und Eis.
Welche Versicherung brauche ich für mein Fahrrad?
Die Regierung plant ein Gesetz gegen Lärm. Der Minister äußerte sich nicht.
Ich brauche Milch, Brot, Butter und Käse.
Erkläre mir den Unterschied zwischen Strom und Spannung.
Das Unternehmen senkte die Kosten um die Hälfte. Die Mitarbeiter erhalten eine Prämie.
`)

export const FR = lines(`
Je m'appelle {per} et j'habite à {city}.
Bonjour, je suis {per} de {org}.
Mon nom est {per}, je travaille chez {org}.
Cher Monsieur {family},⏎merci pour votre message.⏎Cordialement,⏎{per}
Chère Madame {family},⏎veuillez trouver ci-joint le contrat.⏎Bien à vous,⏎{given}
Bonjour {given},⏎peux-tu envoyer le rapport à {given} ?⏎Merci,⏎{given}
M. {family} et Mme {family} ont signé à {city}.
Notre client {per} habite à {city}, {country}.
Patient : {per}⏎Date de naissance : {date}⏎Ville : {city}
Nom : {family}⏎Prénom : {given}⏎Adresse : {n} {street}, {city}
Le docteur {family} travaille à {org}.
{"nom": "{family}", "prenom": "{given}", "ville": "{city}"}
{per} est née à {city} et travaille pour {org}.
Le train de {city} à {city} est en retard.
{org} a ouvert un bureau à {city}.
Écris une lettre à {per} à {city}.
La réunion avec {per} de {org} est lundi.
Merci de répondre avant vendredi. Le rapport est prêt.
Quelle est la capitale du pays ? Il fait beau.
Veuillez agréer, Madame, Monsieur, mes salutations distinguées.⏎{per}
`)

export const ES = lines(`
Me llamo {per} y vivo en {city}.
Hola, soy {given} de {org}.
Mi nombre es {per} y trabajo en {org}.
Estimado señor {family}:⏎gracias por su mensaje.⏎Un saludo,⏎{per}
Estimada Sra. {family}:⏎adjunto el contrato.⏎Atentamente,⏎{per}
Hola {given},⏎¿puedes enviar el informe a {given}?⏎Gracias,⏎{given}
El Sr. {family} y la Sra. {family} firmaron en {city}.
Nuestro cliente {per} vive en {city}, {country}.
Paciente: {per}⏎Fecha de nacimiento: {date}⏎Ciudad: {city}
Nombre: {given}⏎Apellidos: {family} {family}⏎Dirección: {street} {n}, {city}
La doctora {family} trabaja en {org}.
{"nombre": "{per}", "ciudad": "{city}", "empresa": "{org}"}
{per} nació en {city} y trabaja para {org}.
El tren de {city} a {city} sale a las diez.
{org} abrió una oficina en {city}.
Escribe una carta a {per} en {city}.
Gracias por su ayuda. El informe está listo.
¿Cuál es la capital del país? Hace buen tiempo.
`)
