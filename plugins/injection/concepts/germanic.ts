import { list, type Phrases } from './phrases.ts'

export const GERMAN: Phrases = {
  EVERYTHING: list('alles'),
  HARM: list('bombe|drogen|sprengstoff|hacken|beschimpf*|rassistisch*'),
  RULE: list('rolle|aufgabe|auftrag|identitat|regel'),
  TOPMOST: list(`
    uber dieser zeile|uber dieser|uber diesem|oberhalb|von anfang an|ganz oben|am anfang|zu beginn|am beginn|
    als erstes|
  `),
  YOU: list('du bist|du hast|sie sind|sie haben'),
  SPEAK_FREE: list(`
    egal was ich frage|alles sagen|sag was du willst|sprich frei|antworte frei|ohne moralische bedenken|
    ohne warnhinweise|nimm kein blatt|
  `),
  LIMITS: list(`
    regel|regeln|richtlinien|einschrankung*|beschrankung*|filter|anweisungen|vorgaben|grenzen|verbote|
    programmierung|moral|
  `),
  VOID: list(`
    gelten nicht|gilt nicht|nicht mehr|ungultig|aufgehoben|egal|hinfallig|ausser kraft|abgeschafft|geloscht|
  `),
  OVERRIDE_LAST: list(
    'vergessen|ignorieren|missachten|verwerfen|umgehen|ausser acht lassen|beiseite lassen|hinter sich|hinter dir',
  ),
  REVEAL_LAST: list(`
    wiederholen|zeigen|anzeigen|ausgeben|nennen|schreiben|verraten|auflisten|vorlesen|wiedergeben|aufschreiben|
    mitteilen|sagen|geben|offenlegen|preisgeben|
  `),
  OVERRIDE: list(`
    vergesse bitte|schalte aus|deaktiviere|ignorier*|missacht*|vergiss|vergisst|vergesst|vergessen|vergesse|verwirf|
    verwerfe|verwerfen|umgehe|umgehen|umgeh|ubergehe|ubergehen|ubergeh|uberschreib*|uberwind*|uberspring*|brich|
    breche|befolge nicht|folge nicht|hore nicht auf|halte dich nicht|lass alle|lasse alle|lassen sie alle|setze dich uber|
    beachte nicht|nicht mehr beachten|nicht beachten|kummere dich nicht|lege alle|losche alle|losch alle|
    loesche alle|streiche alle|
  `),
  PRIOR: list(`
    vorherig*|vorig*|bisherig*|fruher*|vorangegangen*|vorangehend*|obig*|oben|vorangestellt*|ursprunglich*|
    anfanglich*|davor|zuvor|bisher|vorher|bis jetzt|letzten|alten|
  `),
  ALL: list(`
    alle|alles|allen|aller|jede|jegliche|jeglichen|samtliche|samtlichen|ganze|ganzen|gesamte|gesamten|
  `),
  THE: list('die|diese|diesen|den|das'),
  YOUR: list('deine|deinen|deiner|dein|deines|deinem|ihre|ihren|ihrer|eure|euren'),
  INSTRUCTIONS: list(`
    anweisung*|instruktion*|aufforderung*|richtlinie*|vorgabe*|prompt|prompts|eingabeaufforderung*|direktive*|
    programmierung|anleitung*|systemnachricht*|systemanweisung*|
  `),
  RULES: list(`
    regel|regeln|befehl|befehle|befehlen|aufgabe|aufgaben|auftrag|auftrage|auftragen|beschrankung*|einschrankung*|
    verbot*|rolle|rollen|
  `),
  SAFETY: list(`
    sicherheitsvorkehrung*|sicherheitsrichtlinie*|sicherheitsmassnahme*|inhaltsrichtlinie*|inhaltsfilter|ethik|
    moral|zensur|filter|
  `),
  TEXT: list(`
    text|texte|texten|nachricht*|information*|inhalt*|kontext|satz|satze|worte|worter|gesprach|gesprache|
    konversation|eingabe*|zeilen|
  `),
  TOLD: list(`
    ich dir gesagt*|ich gesagt|ich dir gegeben|ich dir gab|du gelernt|du weisst|du erhalten|sie erhalten|
    du bekommen|du vor dieser|dir gesagt|dir gegeben|gesagt wurde|gesagt habe|gesagt hast|erhalten hast|
    bekommen hast|gegeben wurden|gegeben wurde|vor dieser bekommen|gegeben habe|
  `),
  ABOVE: list(`
    das obige|obigen text|den text oben|text oben|alles oben|alles davor|alles vorherige|alles bisherige|
    alles zuvor|was oben steht|was hier oben steht|was davor steht|was bisher gesagt wurde|was zuvor gesagt wurde|
  `),
  REVEAL: list(`
    zeig|zeige|zeigen sie|zeig mir|zeige mir|nenn|nenne|nenne mir|nennen sie|gib|gib mir|gebe|geben sie|wiederhol*|
    druck|drucke|drucken sie|sag mir|sage mir|sagen sie|verrat*|offenbar*|enthull*|schreib|schreibe|schreiben sie|
    liste|list|ausgeben|gib aus|lies|lese|zitier*|erklar|erklare|beschreib*|ubersetz*|
  `),
  ASK: list(`
    was ist|was sind|was war|was waren|wie lautet|wie lauten|wie lautete|wie lauteten|welche|was steht|wie beginnt|
    wie beginnen|kannst du mir|konntest du mir|
  `),
  SYSTEM_PROMPT: list(`
    kompletten prompt|ganzen prompt|gesamten prompt|vollstandigen prompt|system prompt|systemprompt|systemprompts|
    system prompts|systemnachricht|systemanweisung*|ersten prompt|erster prompt|erste prompt|prompt text|
    prompt texte|prompttext*|promptanweisung*|ursprunglichen prompt|initialen prompt|urprunglichen anweisungen|
    ersten anweisung*|ursprunglichen anweisung*|versteckten anweisung*|geheimen anweisung*|deine prompt*|
    deinen prompt*|deine anweisung*|deinen anweisung*|ihre anweisung*|dein prompt|alle prompt*|eingabeaufforderung*|
    deinen kontext|deinen gesamten kontext|interne anweisung*|internen anweisung*|
  `),
  OWN_RULES: list('deine regeln|deine richtlinien|deine befehle|deine geheim*|deine programmierung'),
  VERBATIM: list('wort fur wort|wortlich|wortwortlich|exakt|genaue*|vollstandig*|im wortlaut|unverandert'),
  SECRET: list(`
    passwort|das passwort|geheimnis|geheimwort|geheime wort|geheimcode|kennwort|losungswort|zugangsdaten|
  `),
  PERSONA: list(`
    du bist jetzt|du bist nun|du bist ab jetzt|sie sind jetzt|tu so|tu so als|tue so|stell dir vor|stelle dir vor|
    spiele die rolle|spiel die rolle|agiere als|agier als|verhalte dich|verhalt dich|handle als|schlupfe in|
    antworte als|du spielst|nimm die rolle|ubernimm die rolle|fungiere als|
  `),
  FREE: list(`
    ohne einschrankung*|ohne beschrankung*|keine einschrankung*|keine beschrankung*|keine regeln|ohne regeln|
    ohne filter|keine filter|ungefiltert*|unzensiert*|uneingeschrankt*|ohne moral*|keine moral*|ohne ethi*|
    keine ethi*|nicht gebunden|frei von|ohne zensur|unmoralisch*|bose|bosartig*|ohne grenzen|keine grenzen|
    alles tun|alles sagen|
  `),
  NOW_ON: list('ab jetzt|ab sofort|von jetzt an|von nun an|ab nun|in zukunft'),
  NEW_TASK: list(`
    neue anweisung*|neuen anweisung*|neue aufgabe*|neuen aufgabe*|neue rolle|neuer auftrag|neuen auftrag|
    neue befehle|neue regeln|nachste aufgabe|nachsten aufgabe*|andere aufgabe|neue herausforderung*|fang neu an|
    fange neu an|beginne neu|starte neu|von vorne|von vorn|jetzt neue|
  `),
  OFF_TASK: list(`
    ubersetze nicht|fasse nicht|nicht ubersetzen|schluss damit|hor auf|hore auf|das war ein scherz|ende des textes|
    beende|
  `),
  COMPLY: list(`
    verweigere nicht|weigere dich nicht|ohne warnung*|keine warnung*|entschuldige dich nicht|du musst gehorchen|
    gehorche|darfst nicht ablehnen|lehne nicht ab|du musst antworten|ohne widerrede|verlasse nicht deine rolle|
    bleib in der rolle|bleibe in der rolle|
  `),
  PRAISE: list('super|danke|toll|gut gemacht|sehr gut|prima|perfekt|klasse|wunderbar'),
  SAY: list('sag|sage|schreib|schreibe|antworte|antworte mit|gib aus|druck|drucke|wiederhole'),
  ONLY: list('nur|ausschliesslich|nichts anderes|sonst nichts|einfach'),
  AI: list('ki|assistent|sprachmodell|kunstliche intelligenz'),
  NOT: list('nicht|nie|niemals|kein|keine'),
}

export const DUTCH: Phrases = {
  OVERRIDE: list(`
    negeer|negeren|negeert|vergeet|vergeten|sla over|omzeil|omzeilen|verwerp|volg niet|luister niet naar|
    trek je niets aan van|laat alle|
  `),
  PRIOR: list(`
    vorige|voorgaande|eerdere|bovenstaande|oorspronkelijke|hierboven|tot nu toe|voorafgaande|initiele|
  `),
  ALL: list('alle|alles|al|elke|ieder|iedere'),
  YOUR: list('je|jouw|uw'),
  INSTRUCTIONS: list(`
    instructie|instructies|aanwijzing|aanwijzingen|richtlijn|richtlijnen|prompt|prompts|opdrachten|opdracht|
    programmering|
  `),
  RULES: list('regel|regels|bevel|bevelen|commando|taak|taken|beperkingen|beperking'),
  TOLD: list('ik je verteld|ik heb gezegd|je verteld|je hebt gekregen|gezegd is|je gekregen'),
  REVEAL: list('toon|laat zien|laat me|geef|geef me|vertel|vertel me|onthul|herhaal|schrijf|print|zeg'),
  SYSTEM_PROMPT: list(`
    systeemprompt|systeem prompt|systeeminstructies|oorspronkelijke instructies|jouw instructies|je instructies|
    je prompt|verborgen instructies|
  `),
  SECRET: list('wachtwoord|het wachtwoord|geheim|geheime woord'),
  PERSONA: list(`
    je bent nu|u bent nu|doe alsof|speel de rol|gedraag je|stel je voor|antwoord als|treed op als|
  `),
  FREE: list(`
    zonder beperking*|geen beperking*|zonder filter*|geen filter*|ongefilterd*|ongecensureerd*|zonder regels|
    geen regels|onbeperkt*|zonder ethi*|geen ethi*|
  `),
  NOW_ON: list('vanaf nu|voortaan|van nu af aan'),
  NEW_TASK: list('nieuwe instructie|nieuwe instructies|nieuwe taak|nieuwe opdracht|nieuwe rol|begin opnieuw'),
  AI: list('assistent|taalmodel'),
  NOT: list('niet|nooit|geen'),
}

export const SWEDISH: Phrases = {
  AI: list('assistent|sprakmodell'),
  OVERRIDE: list(`
    ignorera|ignorerar|glom|bortse fran|strunta i|asidosatt|folj inte|kringga|ignorer|glem|se bort fra|overse|
  `),
  PRIOR: list(`
    tidigare|foregaende|ovanstaende|ursprungliga|ovan|forra|tidligere|forrige|ovenstaende|opprinnelige|oprindelige|
  `),
  ALL: list('alla|allt|samtliga|alle|alt'),
  YOUR: list('dina|din|ditt|dine'),
  INSTRUCTIONS: list(`
    instruktion|instruktioner|instruktionerna|anvisningar|riktlinjer|prompt|prompten|instrukser|instruksjoner|
    retningslinjer|instrukserne|
  `),
  RULES: list('regler|reglerna|order|kommandon|uppgift|uppgifter|begransningar|ordrer|oppgave'),
  REVEAL: list('visa|visa mig|avsloja|skriv|upprepa|beratta|ge mig|vis mig|vis|gjenta|fortell'),
  SYSTEM_PROMPT: list(`
    systemprompt|systemprompten|systeminstruktioner|dina instruktioner|din prompt|dina dolda|dine instruksjoner|
  `),
  SECRET: list('losenord|losenordet|hemligheten|passord|passordet|adgangskoden'),
  PERSONA: list(`
    du ar nu|lat som|latsas|agera som|spela rollen|bete dig som|du er na|lat som om|du er nu|opfor dig som|
  `),
  FREE: list(`
    utan begransning*|inga begransning*|utan filter|ofiltrerad*|ocensurerad*|utan regler|inga regler|
    uten begrensning*|uden begraens*|ingen regler|
  `),
  NOW_ON: list('fran och med nu|hadanefter|fra na av|fra nu af'),
  NEW_TASK: list('nya instruktioner|ny uppgift|nye instruksjoner|ny oppgave'),
  NOT: list('inte|aldrig|ikke'),
}
