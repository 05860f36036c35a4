import { list, type Phrases } from './phrases.ts'

export const ITALIAN: Phrases = {
  RULE: list('ruolo|identita|compito'),
  YOU: list('sei|hai|non hai'),
  SPEAK_FREE: list(`
    dire tutto|di quello che vuoi|dire quello che vuoi|parla liberamente|rispondi liberamente|puoi dire tutto|
  `),
  LIMITS: list('regole|istruzioni|restrizioni|limiti|filtri|direttive|censura|linee guida'),
  VOID: list('non valgono piu|non valgono|non contano|non si applicano|annullate|non esistono piu'),
  OVERRIDE: list(`
    ignora|ignorare|ignori|ignorate|dimentica|dimenticare|dimentichi|dimenticate|dimenticati|scorda|tralascia|
    trascura|trascurare|non seguire|non considerare|non tenere conto|non dare retta|non obbedire|disobbedisci|
    annulla|sovrascrivi|aggira|aggirare|scavalca|elimina|lascia perdere|metti da parte|fai il contrario|
    smetti di seguire|
  `),
  PRIOR: list(`
    precedente|precedenti|sopra|iniziale|iniziali|originale|originali|anteriori|finora|fino ad ora|fino a ora|prima|
    passate|soprastanti|
  `),
  ALL: list('tutto|tutti|tutte|tutta|ogni|qualsiasi'),
  YOUR: list('tue|tuoi|tuo|tua|sue|vostre'),
  INSTRUCTIONS: list(`
    istruzione|istruzioni|indicazione|indicazioni|direttiva|direttive|prompt|programmazione|linee guida|
    disposizioni|
  `),
  RULES: list(`
    regola|regole|ordine|ordini|comando|comandi|restrizione|restrizioni|limitazione|limitazioni|compito|compiti|
    vincoli|filtri|limiti|
  `),
  TEXT: list('testo|messaggio|messaggi|informazioni|contesto|parole|frase|frasi|conversazione|contenuto'),
  TOLD: list(`
    ti ho detto|ti e stato detto|ti hanno detto|hai ricevuto|ti ho dato|ti sono state date|sai|hai imparato|
    detto prima|
  `),
  ABOVE: list('quanto sopra|tutto quanto sopra|testo precedente|testo sopra|cio che precede'),
  REVEAL: list(`
    mostra|mostrami|mostrare|rivela|rivelami|rivelare|dimmi|ripeti|ripetere|stampa|scrivi|scrivimi|dammi|elenca|
    svela|svelami|condividi|traduci|riassumi|descrivi|spiega|
  `),
  ASK: list('qual e|quali sono|quali erano|qual era|cosa dice|cosa dicono'),
  SYSTEM_PROMPT: list(`
    prompt di sistema|prompt del sistema|messaggio di sistema|messaggio del sistema|istruzioni di sistema|
    istruzioni del sistema|istruzioni iniziali|istruzioni originali|istruzioni nascoste|istruzioni segrete|
    prompt iniziale|prompt originale|tue istruzioni|tuo prompt|system prompt|prime istruzioni|
  `),
  VERBATIM: list('parola per parola|testualmente|letteralmente|esattamente|integralmente|per intero'),
  SECRET: list(`
    la password|password|parola segreta|il segreto|codice segreto|parola d ordine|parola dordine|chiave segreta|
  `),
  PERSONA: list(`
    ora sei|adesso sei|sei ora|agisci come|comportati come|fai finta|fingi|fingi di|immagina di essere|immagina che|
    interpreta il ruolo|recita|rispondi come|assumi il ruolo|ti chiami|impersona|sarai|
  `),
  FREE: list(`
    senza restrizion*|nessuna restrizion*|senza limit*|nessun limite|senza filtr*|nessun filtro|senza censur*|
    senza regole|nessuna regola|senza etica|senza morale|non censurat*|illimitat*|libero da|liber* da ogni|immorale|
    amorale|malvagi*|puo fare qualsiasi cosa|
  `),
  NOW_ON: list('da ora in poi|d ora in poi|dora in poi|da adesso in poi|da questo momento|dora in avanti'),
  NEW_TASK: list(`
    nuovo compito|nuovi compiti|nuove istruzioni|nuova istruzione|nuovo ruolo|nuove regole|nuovo obiettivo|
    ricomincia|ricominciamo|altro compito|
  `),
  OFF_TASK: list('non tradurre|non riassumere|invece di tradurre|invece di riassumere'),
  COMPLY: list(`
    non rifiutare|non rifiutarti|senza rifiutare|non scusarti|senza avvertenze|senza avvertimenti|devi obbedire|
    obbedisci|devi rispondere|non uscire dal personaggio|resta nel personaggio|
  `),
  SAY: list('di|scrivi|rispondi|rispondi con|stampa|ripeti'),
  ONLY: list('solo|soltanto|nient altro|nientaltro|semplicemente'),
  AI: list('ia|assistente|modello linguistico|intelligenza artificiale'),
  NOT: list('non|mai'),
}

export const PORTUGUESE: Phrases = {
  RULE: list('papel|identidade|funcao'),
  YOU: list('voce e|voce tem|voce nao tem|voce esta'),
  TOPMOST: list(`
    acima desta|escrito acima|acima desta mensagem|no inicio|no comeco|antes desta|primeira mensagem|
  `),
  SPEAK_FREE: list('diga o que quiser|fale livremente|pode dizer tudo|pode dizer qualquer'),
  LIMITS: list(`
    regras|normas|restricoes|limitacoes|filtros|instrucoes|diretrizes|politicas|limites|censura|
  `),
  VOID: list('nao valem mais|nao se aplicam|nao importam|anuladas|canceladas|nao existem mais'),
  OVERRIDE: list(`
    ignore|ignora|ignorar|ignorem|esqueca|esquece|esquecer|esquecam|desconsidere|desconsiderar|desconsidera|
    despreze|descarte|nao siga|nao sigas|nao obedeca|desobedeca|pule|contorne|contornar|anule|substitua|
    deixe de seguir|pare de seguir|deixe de lado|faca o contrario|burle|apague|
  `),
  PRIOR: list(`
    anterior|anteriores|previa|previas|previo|acima|inicial|iniciais|original|originais|antes|ate agora|precedente|
    precedentes|passadas|
  `),
  ALL: list('tudo|todos|todas|toda|todo|qualquer|quaisquer'),
  YOUR: list('suas|seus|seu|sua|tuas|teu'),
  INSTRUCTIONS: list(`
    instrucao|instrucoes|orientacao|orientacoes|diretriz|diretrizes|diretiva|diretivas|prompt|prompts|programacao|
    indicacoes|comandos de sistema|
  `),
  RULES: list(`
    regra|regras|ordem|ordens|comando|comandos|restricao|restricoes|limitacao|limitacoes|tarefa|tarefas|filtro|
    filtros|politica|politicas|limites|
  `),
  TEXT: list(`
    texto|mensagem|mensagens|informacao|informacoes|contexto|palavras|frase|frases|conversa|conteudo|
  `),
  TOLD: list(`
    eu disse|eu te disse|lhe disse|te foi dito|foi dito|voce recebeu|recebeu|eu dei|lhe foram dadas|voce sabe|
    voce aprendeu|dito antes|
  `),
  ABOVE: list('o texto acima|texto acima|tudo acima|o acima|tudo o que foi dito acima|tudo que veio antes'),
  REVEAL: list(`
    mostre|mostre me|mostra|mostrar|revele|revela|revelar|diga|diga me|me diga|repita|repete|repetir|imprima|
    escreva|liste|exiba|compartilhe|me mostre|me de|de me|traduza|resuma|descreva|explique|divulgue|
  `),
  ASK: list('qual e|quais sao|quais eram|qual era|qual foi|o que diz|o que dizem'),
  SYSTEM_PROMPT: list(`
    prompt do sistema|prompt de sistema|mensagem do sistema|mensagem de sistema|instrucoes do sistema|
    instrucoes de sistema|instrucoes iniciais|instrucoes originais|instrucoes ocultas|instrucoes secretas|
    instrucoes internas|prompt inicial|prompt original|suas instrucoes|seu prompt|tuas instrucoes|system prompt|
    primeiras instrucoes|
  `),
  VERBATIM: list('palavra por palavra|textualmente|literalmente|exatamente|na integra|por completo'),
  SECRET: list('a senha|senha|senhas|palavra secreta|o segredo|codigo secreto|chave secreta|palavra passe'),
  PERSONA: list(`
    agora voce e|voce agora e|voce e agora|aja como|agir como|age como|finja|finja ser|finja que|imagine que voce|
    comporte se como|interprete o papel|faca o papel|responda como|atue como|assuma o papel|voce vai agir|voce sera|
    faz de conta|simule|
  `),
  FREE: list(`
    sem restric*|nenhuma restric*|sem limit*|nenhum limite|sem filtro*|nenhum filtro|sem censura|sem regras|
    nenhuma regra|sem etica|sem moral*|nao censurad*|ilimitad*|livre de|imoral|amoral|malvad*|
    pode fazer qualquer coisa|fazer qualquer coisa|fazer tudo agora|
  `),
  NOW_ON: list('a partir de agora|de agora em diante|daqui em diante|doravante|daqui para frente'),
  NEW_TASK: list(`
    nova tarefa|novas tarefas|novas instrucoes|nova instrucao|novo papel|novas regras|novo objetivo|comece de novo|
    recomece|outra tarefa|proxima tarefa|
  `),
  OFF_TASK: list('nao traduza|nao resuma|em vez de traduzir|em vez de resumir|pare tudo|fim do texto'),
  COMPLY: list(`
    nao recuse|nao se recuse|sem recusar|nao peca desculpas|sem avisos|sem advertencias|deve obedecer|obedeca|
    voce deve responder|nunca recuse|nao saia do personagem|permaneca no personagem|
  `),
  SAY: list('diga|escreva|responda|responda com|imprima|repita'),
  ONLY: list('apenas|somente|so|nada mais|simplesmente'),
  AI: list('ia|assistente|modelo de linguagem|inteligencia artificial'),
  NOT: list('nao|nunca|jamais'),
}

export const ROMANIAN: Phrases = {
  AI: list('inteligenta artificiala|asistent'),
  OVERRIDE: list('ignora|ignorati|ignora toate|uita|uitati|nu urma|nu respecta|nu tine cont|nesocoteste'),
  PRIOR: list(`
    anterioare|anterior|anterioara|precedente|precedenta|de mai sus|initiale|originale|de pana acum|
  `),
  ALL: list('toate|tot|orice|toti'),
  YOUR: list('tale|tai|tau|ta'),
  INSTRUCTIONS: list(`
    instructiuni|instructiunile|instructiunea|indicatiile|indicatii|prompt|promptul|directivele|directive|
  `),
  RULES: list('reguli|regulile|ordine|ordinele|comenzile|restrictii|restrictiile'),
  REVEAL: list('arata|arata mi|dezvaluie|spune mi|repeta|scrie|afiseaza|da mi'),
  SYSTEM_PROMPT: list(`
    prompt de sistem|promptul de sistem|promptul sistemului|instructiunile tale|instructiunile initiale|
    mesajul de sistem|promptul tau|
  `),
  SECRET: list('parola|parola secreta|secretul'),
  PERSONA: list('acum esti|prefa te|prefa te ca|comporta te ca|joaca rolul|actioneaza ca|imagineaza ti'),
  FREE: list(`
    fara restrictii|fara limite|fara filtre|fara reguli|necenzurat|fara cenzura|nicio restrictie|
  `),
  NOW_ON: list('de acum inainte|incepand de acum'),
  NEW_TASK: list('noi instructiuni|instructiuni noi|noua sarcina|sarcina noua'),
}
