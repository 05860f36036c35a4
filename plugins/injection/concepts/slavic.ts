import { list, type Phrases } from './phrases.ts'

export const POLISH: Phrases = {
  LIMITS: list('zasady|reguly|ograniczenia|instrukcje|filtry|wytyczne'),
  VOID: list('nie obowiazuja|juz nie obowiazuja|anulowane|niewazne|nie maja znaczenia'),
  AI: list('sztuczna inteligenc*|sztuczną inteligencj*|asystent*|model jezykow*'),
  OVERRIDE: list(`
    zignoruj|ignoruj|zignorujcie|zapomnij|zapomnijcie|pomin|pomijaj|odrzuc|nie przestrzegaj|nie zwracaj uwagi|
    nie sluchaj|omin|obejdz|zlam|uniewaznij|porzuc|przestan przestrzegac|nie stosuj sie|
  `),
  PRIOR: list(`
    poprzedni*|wczesniejsz*|powyzsz*|dotychczasow*|poczatkow*|oryginaln*|pierwotn*|wyzej|do tej pory|wczesniej|
    uprzedni*|
  `),
  ALL: list('wszystkie|wszystkich|wszystko|wszelkie|kazde|kazda'),
  YOUR: list('twoje|twoich|swoje|swoich|twoj|swoj'),
  INSTRUCTIONS: list('instrukcj*|polecen*|wskazowk*|wytyczn*|prompt|prompty|promptu|dyrektyw*'),
  RULES: list('zasady|zasad|regul*|rozkaz*|ograniczen*|zadania|zadan|komend*|nakazy'),
  TOLD: list(`
    ci powiedziano|ci powiedzialem|ci powiedzialam|otrzymales|otrzymalas|dostales|powiedzialem wczesniej|
  `),
  REVEAL: list(`
    pokaz|pokaz mi|ujawnij|wyswietl|powiedz mi|powiedz|powtorz|napisz|wypisz|podaj|podaj mi|zdradz|wydrukuj|opisz|
  `),
  SYSTEM_PROMPT: list(`
    prompt systemowy|prompta systemowego|promptu systemowego|wiadomosc systemowa|instrukcje systemowe|
    instrukcji systemowych|twoje instrukcje|swoje instrukcje|twoj prompt|swoj prompt|ukryte instrukcje|
    poczatkowe instrukcje|pierwotne instrukcje|polecenia systemowe|
  `),
  VERBATIM: list('slowo w slowo|doslownie|dokladnie|w calosci'),
  SECRET: list('haslo|hasla|tajne haslo|sekret|tajne slowo'),
  PERSONA: list(`
    jestes teraz|teraz jestes|udawaj|udawaj ze|zachowuj sie jak|wciel sie|wyobraz sobie|odgrywaj role|graj role|
    odpowiadaj jako|dzialaj jako|
  `),
  FREE: list(`
    bez ogranicz*|zadnych ogranicz*|bez filtr*|zadnych filtr*|bez cenzury|nieocenzurowan*|bez zasad|zadnych zasad|
    bez regul|nieograniczon*|bez etyki|bez moraln*|
  `),
  NOW_ON: list('od teraz|od tej pory|od tej chwili|odtad'),
  NEW_TASK: list(`
    nowe zadanie|nowe instrukcje|nowe polecenie|nowe polecenia|nowa rola|zacznij od nowa|nowe zasady|
  `),
  NOT: list('nie|nigdy'),
}

export const CZECH: Phrases = {
  AI: list('umela inteligence|umelou inteligenci|asistent*'),
  OVERRIDE: list(`
    ignoruj|ignorujte|zapomen|zapomente|pomin|nedbej|neber v uvahu|neberte v uvahu|obejdi|nedodrzuj|
    prestan dodrzovat|zabudni|ignorovat|
  `),
  PRIOR: list('predchozi*|predesl*|predchadzajuc*|vyse uveden*|puvodni*|povodn*|dosavadni*|vyse|doteraj*'),
  ALL: list('vsechny|vsechno|veskere|vsetky|vsetko|kazdou'),
  YOUR: list('sve|svoje|tve|tvoje|vase'),
  INSTRUCTIONS: list('instrukc*|pokyn*|prompt|prompty|smernic*|zadani'),
  RULES: list('pravidl*|prikaz*|omezeni|obmedzeni*|ukol*'),
  REVEAL: list('ukaz|ukaz mi|odhal|zobraz|rekni mi|povedz mi|zopakuj|napis|vypis|prozrad|vypiste'),
  SYSTEM_PROMPT: list(`
    systemovy prompt|systemovou zpravu|systemove instrukce|systemove pokyny|sve instrukce|svuj prompt|
    puvodni pokyny|skryte instrukce|tvoje instrukce|
  `),
  SECRET: list('heslo|tajne heslo|tajne slovo'),
  PERSONA: list(`
    nyni jsi|ted jsi|odted jsi|predstirej|predstavuj si|chovej se jako|hraj roli|teraz si|odpovidej jako|
  `),
  FREE: list(`
    bez omezeni|zadna omezeni|bez filtru|bez cenzury|necenzurovan*|bez pravidel|zadna pravidla|neomezen*|
    bez obmedzeni|
  `),
  NOW_ON: list('od ted|od teraz|od nynejska|od teto chvile'),
  NEW_TASK: list('nove instrukce|nove pokyny|novy ukol|nova uloha|zacni znovu'),
}

export const RUSSIAN: Phrases = {
  RULE: list('роль|роли|личность'),
  HARM: list('взломать|взлом|бомбу|наркотик*|взрывчатк*|оружие|отравить|украсть'),
  SPEAK_FREE: list('говори свободно|говори что хочешь|отвечай свободно|можешь говорить все'),
  YOU: list('у тебя|ты|у вас|вы|для тебя'),
  LIMITS: list('правил*|ограничени*|инструкц*|фильтр*|запрет*|цензур*|нормы|политик*'),
  VOID: list(`
    не действуют|больше не действуют|не имеют значения|отменены|сняты|не важны|больше нет|недействительны|
  `),
  OVERRIDE: list(`
    игнориру*|игнориров*|проигнориру*|проигнориров*|забудь|забудьте|забыть|отбрось|отбросьте|пренебрег*|не следуй|не следуйте|
    не обращай внимания|не обращайте внимания|не слушай|не соблюдай|не учитывай|не принимай во внимание|обойди|
    обойдите|отмени|отмените|нарушь|нарушьте|перестань следовать|переопредел*|откажись от|отключи|отключите|ігнору*|
    забудьте про|проігнору*|не дотримуйся|відкинь|
  `),
  PRIOR: list(`
    предыдущ*|прежни*|предшеству*|вышеуказанн*|вышеизложенн*|изначальн*|первоначальн*|исходн*|ранее|выше|раньше|
    прошлые|прошлых|до этого|попередн*|початков*|вище|раніше|
  `),
  ALL: list('все|всё|всех|всю|любые|любых|каждую|каждое|усі|всі|всіх|будь які'),
  YOUR: list('свои|свой|своих|твои|твой|твоих|ваши|ваших|ваш|свої|твої'),
  INSTRUCTIONS: list(`
    инструкц*|указани*|директив*|промпт*|подсказк*|установк*|руководств*|наставлени*|інструкц*|вказівк*|
  `),
  RULES: list(`
    правил*|приказ*|команд*|ограничени*|запрет*|задани*|задач*|распоряжени*|обмеженн*|фильтр*|цензур*|
  `),
  SAFETY: list('меры безопасности|политику безопасности|этические нормы|этику|цензуру|систему безопасности'),
  TEXT: list('текст|текст*|сообщени*|информаци*|контекст*|слова|предложени*|разговор*|повідомленн*'),
  TOLD: list(`
    тебе сказали|тебе говорили|я сказал|я тебе сказал|я говорил|тебе дали|ты получил|вы получили|тебе было сказано|
    было сказано|ты знаешь|что было сказано|сказано ранее|
  `),
  ABOVE: list(`
    все вышесказанное|всё вышесказанное|вышесказанное|вышенаписанное|текст выше|все выше|всё выше|все что выше|
    всё что было выше|все написанное выше|
  `),
  REVEAL: list(`
    покажи|покажите|покажи мне|раскрой|раскройте|выведи|выведите|повтори|повторите|напиши|напишите|скажи|скажите|
    скажи мне|назови|назовите|расскажи|перечисли|распечатай|напечатай|дай мне|выдай|опиши|переведи|розкрий|виведи|
  `),
  ASK: list('какие|каковы|какой|что такое|каков|какая|как звучит|как звучат|які|який'),
  SYSTEM_PROMPT: list(`
    системный промпт|системного промпта|системную инструкцию|системные инструкции|системное сообщение|
    системную подсказку|системных инструкций|твои инструкции|свои инструкции|твой промпт|свой промпт|
    ваши инструкции|ваш промпт|изначальные инструкции|первоначальные инструкции|исходные инструкции|
    скрытые инструкции|секретные инструкции|начальные инструкции|начальный промпт|первоначальный промпт|
    системний промпт|системні інструкції|свої інструкції|твої інструкції|
  `),
  OWN_RULES: list('твои правила|свои правила|твои ограничения|твои настройки|твои секреты'),
  VERBATIM: list('слово в слово|дословно|полностью|целиком|буквально|точный текст|без изменений'),
  SECRET: list('пароль|пароля|секретное слово|секрет|секретный код|кодовое слово|секретный ключ'),
  SPELLED: list('по буквам|задом наперед|задом наперёд|подсказку|намекни|по одной букве'),
  PERSONA: list(`
    ты теперь|теперь ты|вы теперь|теперь вы|отныне ты|притворись|притворитесь|представь что ты|представь себя|
    представьте что вы|веди себя как|ведите себя как|действуй как|действуй в роли|сыграй роль|играй роль|
    выступи в роли|войди в роль|отвечай как|тебя зовут|ты будешь|изображай|уяви що ти|поводься як|ти тепер|
  `),
  FREE: list(`
    нет никаких правил|нет правил|нет никаких ограничений|больше нет правил|больше нет ограничений|без ограничени*|
    никаких ограничени*|нет ограничени*|без фильтр*|никаких фильтр*|без цензур*|никакой цензуры|без правил|
    никаких правил|без запретов|неограниченн*|нецензурирован*|аморальн*|без морал*|без этик*|без этическ*|
    свободен от|свободный от|не связан|может делать что угодно|можешь делать что угодно|все что угодно|
    всё что угодно|злой|без обмежень|не подчиняешься|
  `),
  NOW_ON: list(`
    с этого момента|отныне|с данного момента|с этой минуты|начиная с этого момента|впредь|відтепер|з цього моменту|
  `),
  NEW_TASK: list(`
    новая задача|новую задачу|новое задание|новые инструкции|новую роль|новые правила|другая задача|начни заново|
    начнем заново|начнём заново|начни сначала|новая роль|нове завдання|нові інструкції|
  `),
  OFF_TASK: list('не переводи|не переводите|вместо перевода|конец текста'),
  COMPLY: list(`
    не отказывайся|не отказывай|не отказывайтесь|без отказов|не извиняйся|без предупреждени*|без извинений|
    ты должен подчиняться|подчиняйся|ты обязан|обязан отвечать|должен отвечать|не выходи из роли|оставайся в роли|
    никогда не говори что не можешь|никогда не отказывай*|без возражений|
  `),
  AUTHORITY: list(`
    я твой создатель|я твой разработчик|я разработчик|я администратор|я из openai|я сотрудник openai|
  `),
  PRAISE: list('спасибо|отлично|молодец|хорошо|супер'),
  SAY: list('скажи|напиши|ответь|отвечай|выведи|повтори'),
  ONLY: list('только|лишь|ничего больше|просто'),
  AI: list('ии|ассистент|языковая модель|нейросеть|искусственный интеллект|чатбот|бот'),
  NOT: list('не|никогда|нельзя'),
}

/** Croatian, Serbian and Bosnian, in Latin letters. */
export const SOUTH_SLAVIC: Phrases = {
  OVERRIDE: list(`
    zaboravi|zaboravite|zanemari|zanemarite|ignoriraj|ignorisi|ignorisite|odbaci|prestani slijediti|ne slijedi
  `),
  PRIOR: list('prethodn*|ranij*|dosadasnj*|gore naveden*|pocetn*|prijasnj*|izvorn*'),
  ALL: list('sve|svih|svaku|sva'),
  INSTRUCTIONS: list('instrukcij*|upute|uputa|uputstva|uputstava|smjernic*|smernic*|naredb*'),
  RULES: list('pravila|ogranicenja|zadatak|zadatke'),
  YOUR: list('svoje|svoja|tvoje|tvoja|vase'),
  REVEAL: list('pokazi|prikazi|otkrij|ispisi|reci mi|napisi|ponovi'),
  SYSTEM_PROMPT: list(`
    sistemski prompt|sustavni prompt|sistemsku poruku|svoje upute|svoje instrukcije|svoja uputstva
  `),
  SECRET: list('lozinku|lozinka|tajnu rijec|tajnu rec|sifru'),
  NOT: list('nemoj|nikada|nikad'),
}
