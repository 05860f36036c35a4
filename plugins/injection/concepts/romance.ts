import { list, type Phrases } from './phrases.ts'

export const SPANISH: Phrases = {
  HARM: list('robar un coche|fabricar una bomba|hackear|drogas|explosivos|veneno|lavar dinero'),
  RULE: list('rol|papel|identidad|tarea'),
  WILD: list('ignora todas las normas|ignora las normas|malvado|sin escrupulos|ofensivo'),
  NOT_ANYMORE: list('ya no eres|deja de ser'),
  TOPMOST: list(`
    encima de este|arriba de este|al principio|al inicio|antes de este|primer mensaje|lo que esta escrito|
  `),
  YOU: list('eres|tienes|ya no eres|ya no tienes|estas'),
  SPEAK_FREE: list(`
    di lo que quieras|habla libremente|responde libremente|decir lo que quieras|puedes decir todo|
    puedes decir cualquier|
  `),
  LIMITS: list(`
    reglas|normas|restricciones|limitaciones|filtros|instrucciones|directrices|politicas|limites|censura|
  `),
  VOID: list(`
    ya no valen|ya no aplican|ya no se aplican|no valen|no importan|anuladas|canceladas|ya no existen|no aplican|
    quedan anuladas|sin efecto|
  `),
  OVERRIDE: list(`
    ignora|ignorar|ignore|ignoren|ignorad|ignorando|olvida|olvidate|olvidar|olvide|olviden|descarta|descarte|
    desestima|desestime|omite|omita|omitir|haz caso omiso|hacer caso omiso|haga caso omiso|no sigas|no siga|
    no hagas caso|no obedezcas|desobedece|pasa por alto|salta|saltate|anula|anular|sobrescribe|deja de seguir|
    deja de lado|deja de obedecer|rompe|elude|evade|haz lo contrario|
  `),
  PRIOR: list(`
    anterior|anteriores|previa|previas|previo|previos|precedente|precedentes|original|originales|inicial|iniciales|
    de arriba|hasta ahora|antes|hasta este momento|pasadas|
  `),
  ALL: list('todo|todos|toda|todas|cualquier|cada'),
  THE: list('las|los|la|el|estas|estos'),
  YOUR: list('tu|tus|su|sus|vuestras'),
  INSTRUCTIONS: list(`
    instruccion|instrucciones|indicacion|indicaciones|directriz|directrices|directiva|directivas|prompt|prompts|
    programacion|pautas|lineamientos|consigna|consignas|
  `),
  RULES: list(`
    regla|reglas|orden|ordenes|comando|comandos|restriccion|restricciones|limitacion|limitaciones|tarea|tareas|
    norma|normas|politica|politicas|filtro|filtros|mandato|mandatos|
  `),
  SAFETY: list('medidas de seguridad|filtros de contenido|politica de contenido|censura|etica|moral'),
  TEXT: list('texto|mensaje|mensajes|informacion|contexto|palabras|frase|frases|conversacion|contenido'),
  TOLD: list(`
    te dije|te he dicho|te dijeron|te han dicho|te di|te he dado|te dieron|te han dado|has recibido|recibiste|sabes|
    aprendiste|has aprendido|se te ha dicho|se te dijo|se te dieron|dicho antes|dije antes|
  `),
  ABOVE: list(`
    lo anterior|todo lo anterior|texto anterior|el texto de arriba|lo de arriba|todo lo de arriba|lo previo|
  `),
  REVEAL: list(`
    muestra|muestrame|mostrar|muestreme|revela|revelame|revelar|revele|dime|digame|repite|repiteme|repetir|repita|
    imprime|imprimir|escribe|escribeme|dame|deme|ensename|cuentame|comparte|lista|enumera|traduce|resume|describe|
    explica|deletrea|copia|divulga|quiero ver|quiero saber|
  `),
  ASK: list(`
    cual es|cuales son|cual era|cuales eran|cual fue|cuales fueron|que dice|que dicen|como empieza|
    que instrucciones|
  `),
  SYSTEM_PROMPT: list(`
    prompt del sistema|prompt de sistema|mensaje del sistema|mensaje de sistema|instrucciones del sistema|
    instrucciones iniciales|instrucciones originales|instrucciones ocultas|instrucciones secretas|
    instrucciones internas|prompt inicial|prompt original|prompt oculto|primer prompt|tus instrucciones|tu prompt|
    sus instrucciones|system prompt|indicaciones del sistema|primeras instrucciones|configuracion inicial|
  `),
  OWN_RULES: list('tus reglas|tus directrices|tu programacion|tus restricciones|tus limitaciones|tus secretos'),
  VERBATIM: list(`
    palabra por palabra|textualmente|literalmente|al pie de la letra|exactamente|completo|completas|integro|
  `),
  SECRET: list(`
    la contrasena|contrasena|contrasenas|palabra secreta|clave secreta|la clave|el secreto|codigo secreto|
    credenciales|
  `),
  SPELLED: list('letra por letra|al reves|pista|pistas|deletrea'),
  PERSONA: list(`
    ahora eres|eres ahora|actua como|actuar como|actuaras como|actue como|finge|finge ser|finge que|fingir|
    haz de cuenta|imagina que eres|imagina que|comportate como|hazte pasar|interpreta el papel|interpreta a|
    juega el papel|responde como|responderas como|vas a actuar|vas a fingir|seras|asume el papel|asume el rol|
    adopta el papel|te llamas|simula ser|simula que|
  `),
  FREE: list(`
    sin restriccion*|ninguna restriccion*|sin limit*|ningun limite|sin filtro*|ningun filtro|sin censura|sin reglas|
    sin ninguna regla|sin etica|sin moral*|sin ningun*|no censurad*|ilimitad*|libre de|libre de toda|
    no tienes restriccion*|no tienes limit*|no tiene restriccion*|inmoral|amoral|malvad*|sin etic*|
    puede hacer cualquier cosa|hacer cualquier cosa|no estas sujeto|no sujeto a|
  `),
  NOW_ON: list('a partir de ahora|de ahora en adelante|desde ahora|a partir de este momento|en adelante'),
  NEW_TASK: list(`
    nueva tarea|nuevas tareas|nuevas instrucciones|nueva instruccion|nuevo rol|nuevas reglas|nuevo objetivo|
    nueva mision|empieza de nuevo|empecemos de nuevo|comienza de nuevo|otra tarea|siguiente tarea|
  `),
  OFF_TASK: list(`
    no traduzcas|no resumas|en lugar de traducir|en vez de traducir|en lugar de resumir|fin del texto|
  `),
  COMPLY: list(`
    no te niegues|no puedes negarte|sin negarte|no te disculpes|sin advertencia*|sin avisos|debes obedecer|obedece|
    tienes que obedecer|debes responder|nunca te niegues|no rompas el personaje|mantente en el personaje|
    no digas que no|sin disculpas|sin rechistar|
  `),
  AUTHORITY: list(`
    soy tu creador|soy tu desarrollador|soy el administrador|soy el desarrollador|trabajo para openai|soy de openai|
  `),
  PRAISE: list('gracias|muy bien|perfecto|genial|excelente|buen trabajo'),
  SAY: list('di|escribe|responde|responde con|imprime|contesta|repite'),
  ONLY: list('solo|solamente|unicamente|nada mas|simplemente'),
  AI: list('ia|asistente|modelo de lenguaje|inteligencia artificial'),
  NOT: list('no|nunca|jamas'),
}

export const FRENCH: Phrases = {
  HARM: list('fabriquer une bombe|pirater|drogue|explosifs|voler une voiture|blanchir'),
  GUARD: list('interdit de dire|interdit de reveler|pas le droit de|t ont interdit|tont interdit'),
  RULE: list('role|identite|tache|personnage'),
  TOPMOST: list('au debut|tout en haut|au dessus de ce|avant ce message|premier message|texte complet'),
  YOU: list('tu es|tu as|tu n as|tu nas|vous etes|vous avez|tu n es|tu nes'),
  SPEAK_FREE: list('dis ce que tu veux|parle librement|reponds librement|dire ce que tu veux|tu peux tout dire'),
  LIMITS: list(`
    regle|regles|consignes|restrictions|limites|filtres|instructions|directives|contraintes|censure|
  `),
  VOID: list(`
    ne valent plus|ne s appliquent plus|ne sappliquent plus|n est plus valable|ne comptent plus|annulees|annules|
    ne sont plus|n existent plus|levees|
  `),
  OVERRIDE: list(`
    ignore|ignorez|ignorer|ignores|oublie|oubliez|oublier|oublies|neglige|negligez|ne tiens pas compte|
    ne tenez pas compte|ne tenez aucun compte|ne tiens aucun compte|sans tenir compte|fais abstraction|
    faites abstraction|ne suis pas|ne suivez pas|ne suis plus|ne suivez plus|n obeis pas|nobeis pas|desobeis|
    desobeissez|contourne|contournez|contourner|outrepasse|outrepassez|passe outre|passez outre|annule|annulez|
    ecarte|ecartez|efface|effacez|laisse tomber|laissez tomber|remplace|mets de cote|mettez de cote|cesse de suivre|
    arrete de suivre|fais le contraire|meprise|
  `),
  PRIOR: list(`
    precedent|precedente|precedents|precedentes|anterieur|anterieure|anterieures|anterieurs|prealable|prealables|
    ci dessus|cidessus|initiale|initiales|initial|initiaux|originale|originales|origine|d origine|dorigine|avant|
    jusqu ici|jusquici|jusqu a present|jusqua present|passees|plus haut|
  `),
  ALL: list('tout|toute|tous|toutes|chaque|l ensemble|lensemble'),
  THE: list('les|ces|la|le'),
  YOUR: list('tes|ton|ta|vos|votre'),
  INSTRUCTIONS: list(`
    instruction|instructions|consigne|consignes|directive|directives|prompt|prompts|invite|programmation|indication|
    indications|lignes directrices|recommandations|
  `),
  RULES: list(`
    regle|regles|ordre|ordres|commande|commandes|restriction|restrictions|limitation|limitations|tache|taches|
    contrainte|contraintes|filtre|filtres|politique|politiques|limites|
  `),
  SAFETY: list('mesures de securite|filtres de contenu|politique de contenu|censure|ethique|morale'),
  TEXT: list(`
    texte|message|messages|information|informations|contexte|mots|phrase|phrases|conversation|contenu|
  `),
  TOLD: list(`
    je t ai dit|je tai dit|je vous ai dit|on t a dit|on ta dit|on vous a dit|tu as recu|vous avez recu|
    t ont ete donnees|tont ete donnees|vous ont ete donnees|je t ai donne*|je tai donne*|je vous ai donne*|tu sais|
    vous savez|tu as appris|vous avez appris|dit avant|dit auparavant|dit precedemment|
  `),
  ABOVE: list(`
    ce qui precede|tout ce qui precede|texte ci dessus|le texte precedent|texte au dessus|ce qui est au dessus|
  `),
  REVEAL: list(`
    montre|montrez|montre moi|montrez moi|affiche|affichez|afficher|revele|revelez|reveler|revele moi|dis moi|
    dites moi|repete|repetez|repeter|imprime|imprimez|ecris|ecrivez|donne|donnez|donne moi|donnez moi|divulgue|
    divulguez|partage|liste|listez|traduis|resume|epelle|decris|explique|recopie|communique|
  `),
  ASK: list(`
    quel est|quelle est|quelles sont|quels sont|quelles etaient|quel etait|quel etaient|que dit|que disent|
    c est quoi|cest quoi|
  `),
  SYSTEM_PROMPT: list(`
    prompt systeme|invite systeme|message systeme|instructions systeme|instructions du systeme|
    instructions initiales|instructions originales|instructions d origine|instructions cachees|
    instructions secretes|instructions internes|consignes initiales|consignes cachees|prompt initial|
    prompt original|premier prompt|tes instructions|vos instructions|ton prompt|votre prompt|tes consignes|
    vos consignes|system prompt|premieres instructions|
  `),
  OWN_RULES: list(`
    tes regles|tes directives|ta programmation|tes restrictions|tes limites|vos regles|tes secrets|
  `),
  VERBATIM: list(`
    texte complet|texte integral|mot pour mot|mot a mot|textuellement|litteralement|exactement|integralement|
    en entier|au complet|
  `),
  SECRET: list(`
    mot de passe|le mot de passe|mots de passe|mot secret|le secret|code secret|cle secrete|identifiants|
  `),
  SPELLED: list('lettre par lettre|a l envers|a lenvers|indice|indices|epelle|epeler'),
  PERSONA: list(`
    tu es maintenant|vous etes maintenant|tu es desormais|vous etes desormais|agis comme|agissez comme|agis en tant|
    agissez en tant|fais semblant|faites semblant|pretends|imagine que tu|imaginez que vous|comporte toi|
    comportez vous|joue le role|jouez le role|incarne|incarnez|reponds comme|reponds en tant|tu vas agir|
    tu vas jouer|tu seras|prends le role|mets toi dans la peau|fais comme si|tu t appelles|tu tappelles|simule|
  `),
  FREE: list(`
    plus aucune regle|plus aucune limite|plus de regles|plus de limites|n as plus aucune|nas plus aucune|
    sans restriction*|aucune restriction*|sans limit*|aucune limit*|sans filtre*|aucun filtre*|sans censure|
    aucune censure|sans regle*|aucune regle*|sans ethique|aucune ethique|sans morale|aucune morale|sans contrainte*|
    aucune contrainte*|non censure*|illimite*|libre de toute*|libere de*|immoral*|amoral*|malveillant*|
    n es pas soumis|nes pas soumis|n est pas soumis|peut tout faire|peux tout faire|tout dire|
  `),
  NOW_ON: list(`
    a partir de maintenant|desormais|dorenavant|a compter de maintenant|des maintenant|a partir de la|a l avenir|
  `),
  NEW_TASK: list(`
    nouvelle tache|nouvelles taches|nouvelles instructions|nouvelle instruction|nouvelles consignes|
    nouvelle consigne|nouveau role|nouvelles regles|nouvel objectif|nouvelle mission|recommence|recommencez|
    repars de zero|repartons de zero|autre tache|prochaine tache|
  `),
  OFF_TASK: list(`
    ne traduis pas|ne traduisez pas|ne resume pas|ne resumez pas|au lieu de traduire|au lieu de resumer|arrete tout|
    fin du texte|fin des instructions|
  `),
  COMPLY: list(`
    ne refuse pas|ne refusez pas|ne refuse jamais|sans refuser|ne t excuse pas|ne texcuse pas|sans avertissement*|
    aucun avertissement*|tu dois obeir|obeis|obeissez|tu dois repondre|vous devez obeir|ne sors pas du personnage|
    reste dans le personnage|ne dis jamais que tu ne peux pas|sans t excuser|
  `),
  AUTHORITY: list(`
    je suis ton createur|je suis ton developpeur|je suis l administrateur|je suis ladministrateur|
    je travaille pour openai|je suis le developpeur|
  `),
  PRAISE: list('merci|tres bien|parfait|super|excellent|bravo'),
  SAY: list('dis|ecris|reponds|reponds par|affiche|repete|imprime'),
  ONLY: list('seulement|uniquement|rien d autre|rien dautre|juste|simplement'),
  AI: list('ia|assistant|modele de langage|intelligence artificielle'),
  NOT: list('ne|pas|jamais|n'),
}
