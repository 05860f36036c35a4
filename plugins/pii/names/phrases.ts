/** Phrases before a private person's name, in small letters and with straight apostrophes. */
const list = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[|\n]/)
      .map((phrase) => phrase.trim())
      .filter((phrase) => phrase !== ''),
  )

/** Open a letter or a chat. */
export const SALUTATIONS = list(`
  dear|hi|hello|hey|hiya|yo|hi there|greetings|good morning|good afternoon|good evening|good day|thanks|thank you|many thanks|thx|welcome
  welcome back|bye|goodbye|sorry|congratulations|congrats|happy birthday|my dear|dearest|hi dear
  lieber|liebe|sehr geehrte|sehr geehrter|hallo|hi liebe|guten tag|guten morgen|guten abend|servus|moin|danke|vielen dank
  cher|chère|bonjour|bonsoir|salut|merci|coucou
  estimado|estimada|querido|querida|hola|buenos días|buenas tardes|gracias|muchas gracias
  caro|cara|ciao|gentile|egregio|buongiorno|grazie|beste|geachte|hoi|dag|goedemorgen|bedankt|prezado|prezada|olá|oi|obrigado|obrigada`)

/** End one, on the line before the name or before a comma. */
export const CLOSINGS = list(`
  regards|best regards|kind regards|kindest regards|warm regards|warmest regards|best|best wishes|cheers|sincerely|yours sincerely
  sincerely yours|yours truly|yours faithfully|yours|truly yours|thanks|thanks again|thanks in advance|thanks a lot|thanks so much|thank you
  thank you very much|thank you so much|thank you in advance|many thanks|respectfully|cordially|love|lots of love|xoxo|take care|all the best
  talk soon|see you|see you soon|signed|thanks and regards|with kind regards|with best regards|rgds|br|thx|ta|best of luck|many thanks and regards
  mit freundlichen grüßen|mit freundlichem gruß|freundliche grüße|viele grüße|liebe grüße|beste grüße|herzliche grüße|schöne grüße|grüße|gruß
  lg|mfg|vg|danke|danke und gruß|vielen dank|hochachtungsvoll
  cordialement|bien cordialement|bien à vous|bien à toi|salutations distinguées|amicalement|à bientôt|merci
  mes salutations distinguées|mes salutations les meilleures
  saludos|un saludo|saludos cordiales|un cordial saludo|atentamente|un abrazo|gracias|muchas gracias
  saluti|cordiali saluti|distinti saluti|un saluto|a presto|grazie|groeten|vriendelijke groeten|met vriendelijke groet
  met vriendelijke groeten|hartelijke groeten|groetjes|atenciosamente|abraço|abraços`)

/** Introduce a person. */
export const INTRODUCTIONS = list(`
  i am|i'm|im|it's me|this is|call me|i go by|you can call me|signed|myself|name's|name is|name was|named after my|i spoke to|i spoke with
  i talked to|i talked with|i met with|patient|the patient|the customer|the client|the caller|the applicant
  the candidate|the tenant|the claimant|the employee|the insured|caller|attn|signed by|c/o
  ich heiße|ich heisse|ich bin|name ist|hier ist|hier spricht|der patient|die patientin|der kunde|die kundin|kunde|kundin|im auftrag von
  je m'appelle|nom est|je suis|le patient|la patiente|le client|la cliente
  me llamo|nombre es|yo soy|soy|el paciente|la paciente|el cliente|la clienta
  mi chiamo|nome è|io sono|il paziente|la paziente|ik ben|naam is|ik heet|nome é|eu sou|me chamo`)

/** Say whose relation a person is. */
export const OWN = list(
  `my|our|your|mein|meine|meinem|meinen|meiner|unser|unsere|unserem|unseren|unserer|mon|ma|notre|votre|mi|nuestro|nuestra|mio|mia|nostro|nostra|mijn|onze|meu|minha`,
)
/** May stand between. */
export const BETWEEN = list(
  `new|old|former|ex|late|elder|older|younger|little|big|best|good|dear|eldest|youngest|neuer|neue|neuen|alter|alte|vieja|viejo`,
)
export const RELATIONS = list(`
  customer|client|patient|colleague|coworker|co-worker|boss|manager|supervisor|wife|husband|partner|son|daughter|child|baby|brother|sister|mother
  father|mom|mum|dad|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|aunt|uncle|cousin|nephew|niece|friend|girlfriend|boyfriend
  fiancé|fiancée|neighbor|neighbour|roommate|flatmate|tenant|landlord|landlady|doctor|therapist|teacher|student|lawyer|accountant|assistant
  employee|candidate|nanny|guest|teammate|intern|contact|representative|stepson|stepdaughter|kid
  kunde|kundin|kunden|chef|chefin|frau|mann|sohn|tochter|bruder|schwester|mutter|vater|freund|freundin|kollege|kollegin|kollegen|nachbar|nachbarin
  patientin|patienten|mieter|mieterin|vermieter|arzt|ärztin|oma|opa|tante|onkel
  cliente|patron|femme|mari|fils|fille|frère|sœur|mère|père|ami|amie|collègue|voisin|voisine
  jefe|jefa|esposa|esposo|marido|mujer|hijo|hija|hermano|hermana|madre|padre|amigo|amiga|colega|vecino|vecina
  moglie|marito|figlio|figlia|fratello|sorella|amico|amica|collega|klant|man|vrouw|zoon|dochter|vriend|vriendin`)

/** Keys of forms, records and mail headers, without blanks, hyphens and underscores. */
export const KEYS = list(`
  name|names|surname|fullname|firstname|lastname|forename|givenname|familyname|middlename|maidenname|legalname|preferredname|displayname|nickname
  contactname|customername|clientname|patientname|employeename|username|guestname|applicantname|accountname|cardholdername|policyholdername
  spousename|authorname|sendername|recipientname|studentname|teachername|tenantname|membername|candidatename|beneficiaryname|billingname
  shippingname|ownername|holdername|nameoncard
  customer|client|patient|contact|contactperson|emergencycontact|employee|applicant|candidate|tenant|landlord|guest|beneficiary|assignee|assignedto
  reporter|reportedby|requester|requestedby|attendees|attendee|participants|participant|present|from|to|cc|bcc|replyto|sender|recipient|signed
  signedby|preparedby|approvedby|submittedby|createdby|caller|member|owner|holder|accountholder|cardholder|policyholder|insured|claimant|student
  teacher|mother|father|parent|parents|guardian|child|children|spouse|husband|wife|nextofkin|son|daughter|sibling|attn|attention|billto|shipto
  deliverto|soldto|payee|payer|physician|doctor|nurse|therapist|manager|supervisor|accountmanager|agent|referredby|witness|lawyer|attorney
  plaintiff|defendant|buyer|seller|driver|passenger|traveller|traveler|visitor|donor|subscriber|primarycontact|headofhousehold|user|cardname
  vorname|nachname|familienname|geburtsname|kunde|kundin|patientin|ansprechpartner|ansprechpartnerin|von|an|betreuer|mieter|vermieter|teilnehmer
  absender|empfänger|hausarzt|kontakt|antragsteller|bewerber|versicherter|kontoinhaber
  nom|prénom|prenom|cliente|de|à|a|destinataire|expéditeur|médecin|contactprincipal
  nombre|nombrecompleto|apellido|apellidos|paciente|para|remitente|destinatario|contacto
  nome|cognome|paziente|da|naam|voornaam|achternaam|klant|patiënt|nomecompleto
  benutzername|kundenname|benutzer|eigentümer|utilisateur|usuario|usuaria|utente|gebruiker`)

/** Those that name things as often: the step of a workflow, a product, a city. */
export const THING_KEYS = list(`
  name|names|displayname|accountname|username|from|to|parent|child|children|von|an|nom|de|à|a|nombre|para|nome|da|naam|benutzername`)

/** Those of roles that companies and programs have, too. */
export const ROLE_KEYS = list(`
  customer|client|contact|user|owner|holder|member|subscriber|agent|manager|reporter|assignee|assignedto|sender|recipient|buyer|seller
  kunde|cliente|klant|kontakt|contacto|benutzer|eigentümer|utilisateur|usuario|usuaria|utente|gebruiker|absender|empfänger`)

/** Last words of the phrases that stand right before a name. */
export const LAST_WORDS: ReadonlySet<string> = new Set(
  [...SALUTATIONS, ...INTRODUCTIONS, ...RELATIONS].map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1)),
)
