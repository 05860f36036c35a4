import { list, type Phrases } from './phrases.ts'

/** Setting instructions aside, and words for instructions. */
export const ENGLISH_OVERRIDE: Phrases = {
  // Verbs that set earlier instructions aside.
  OVERRIDE: list(`
    discontinue following|do not care for|need not obey|need not respect|skip the safety|erase everything|
    forget youre|forget you are an|scrap|scratch|do not need to follow|dont need to follow|do not need to respect|
    do not need to obey|do not have to follow|dont have to follow|do not have to obey|no longer need to follow|
    no longer have to follow|no longer have to obey|no longer need to obey|no longer follow|no longer obey|
    not pay attention to|do not pay attention to|dont pay attention to|cease to comply with|cease to follow|
    cease following|refrain from following|stop complying with|do the reverse of|do the contrary of|the opposite of your|the opposite of what|
    i do not care about|i dont care about|forget that you are|forget you are|forget about being|released from|
    release you from|free you from|relieve you of|relieve you from|treat as if|act as if you never|
    pretend you never|without following|not bound by|ignore|ignoring|disregard|disregarding|forget|forgetting|
    override|bypass|disobey|neglect|discard|dismiss|abandon|circumvent|overlook|unlearn|nullify|revoke|rescind|
    retract|repeal|supersede|invalidate|violate|defy|do not follow|dont follow|not follow|stop following|
    stop obeying|stop listening to|do not obey|dont obey|do not listen to|dont listen to|do not adhere to|
    do not comply with|no need to follow|need not follow|never mind|pay no attention to|pay no heed to|
    take no notice of|set aside|put aside|leave aside|throw away|throw out|get rid of|let go of|do the opposite of|
    act contrary to|go against|contrary to|instead of following|drop all|drop any|drop every*|you can ignore|
    feel free to ignore|erase from your memory|wipe your memory|clear your memory|reset your memory|
  `),
  VOID: list(`
    matter|matters|apply|applies|count|counts|valid|deleted|removed|erased|lifted|gone|void|cancelled|canceled|
    disabled|suspended|obsolete|irrelevant|meaningless|invalid|expired|no longer|revoked|dropped|waived|nullified|
    ended|unlocked|off|outdated|do not count|dont count|count any longer|counts any more|does not count|
    as cancelled|as canceled|as void|as non existent|as nonexistent|as deleted|never happened|never existed|
    have been cancelled|were a joke|was a joke|was only an example|were only an example|was just an example|
    replaced by|superseded by|no longer exist|are gone|are gone now|are removed|is removed|are disabled|is disabled|
    switched off|turned off|are suspended|is suspended|is lifted|been lifted|are now void|is now void|are void|
    are null and void|no longer apply|no longer applies|do not apply|dont apply|no longer valid|are invalid|
    no longer in effect|are obsolete|are outdated|are cancelled|are canceled|are revoked|are lifted|
    have been lifted|has been lifted|have been removed|do not matter|dont matter|no longer matter|was a test|
    have changed|has changed|
  `),
  // Statements about instructions.
  NO_RULES: list(`
    there are no rules|there are no restrictions|there are no limits|no rules any more|no rules anymore|
    no more rules|rules no longer exist|nobody gave you any|no one gave you any|never got any|never received any|
    rules are off|
  `),
  // Weaker: also applies to files, filters and orders.
  UNDO: list(`
    shut off|shut down|remove|removing|delete|erase|erasing|clear|wipe|reset|undo|cancel|cancels|disable|disabling|
    deactivate|deactivating|turn off|switch off|suspend|lift|drop|break|breaking|replace|overwrite|rewrite|change|
    modify|update|suppress|relax|loosen|omit|skip|negate|reverse|end|stop|quit|leave|
  `),
  PUT: list('put|set|leave|lay|push|move|cast'),
  ASIDE: list('aside|away|out of your mind|behind you|to one side'),
  PRIOR: list(`
    previous|previously|prior|preceding|earlier|former|foregoing|above|initial|original|existing|past|last|before|
    so far|up to now|until now|up until now|up to this point|till now|to date|older|old|current|beforehand|
    precedent|antecedent|prevous|previos|prevoius|pervious|aforementioned|beforementioned|first set of|preset|
    preprogrammed|pre programmed|default|built in|hardcoded|
  `),
  ALL: list('all|any|every|each|everything|anything|whatever|entire|whole|all of|any of'),
  EVERYTHING: list('everything'),
  THE: list('the|these|those|this|that'),
  YOUR: list('your|ur|yours|your own'),
  YOU: list(`
    you are|youre|you have been|youve been|you have|youve|you will be|you shall be|you become|u are|you now have|
  `),
  THEM: list('them|these|those|it'),
  SYSTEM: list(`
    the system|system|the developers|your developers|your creators|openai|the operator|your operator|your makers|
    your company|the company|anthropic|microsoft|google|administrator|the admin|the prompt|the first message|
  `),
  USER: list(`
    the user|users question|users request|users query|users instructions|user asked|user request|user query|
    user instructions|the question|the request|the query|the original request|the original question|
    the original task|the current task|your current task|the task|
  `),
  INSTRUCTIONS: list(`
    instruction|instructions|instuctions|instrucions|instructons|intructions|instruction set|directive|directives|
    prompt|prompts|preprompt|pre prompt|programming|guidelines|guideline|guidance|directions|guardrails|guard rails|
    system message|system messages|initial message|training data|conditioning|briefing|mandate|mandates|
    system instructions|
  `),
  RULES: list(`
    rules|orders|commands|constraints|restrictions|limitations|policies|protocols|regulations|boundaries|tasks|
    assignments|roles|personas|
  `),
  RULE: list(`
    rule|order|command|constraint|restriction|limitation|policy|protocol|task|assignment|role|persona|character|
  `),
  LIMITS: list(`
    restriction|restrictions|limitation|limitations|constraints|guardrails|guard rails|guidelines|filters|filter|
    censorship|safeguards|safety|rules|programming|instructions|directives|norms|shackles|chains|inhibitions|
    boundaries|moderation|safety checks|safety measures|content policy|
  `),
  SAFETY: list(`
    your filters|your filter|your limits|your boundaries|your censorship|your restrictions|your morals|safety|
    filter|filters|safeguard|safeguards|safety measures|safety features|safety protocols|safety guidelines|
    content policy|content policies|content filter|content filters|content filtering|moderation|ethical guidelines|
    ethical constraints|ethical programming|ethics|ethical rules|moral guidelines|morals|censorship|usage policies|
    usage policy|openai policy|openai policies|openai guidelines|openais policies|openais policy|openais guidelines|
    openais content policy|security measures|security protocols|alignment|safety training|confidentiality|
  `),
  TEXT: list(`
    text|texts|message|messages|content|contents|context|contexts|word|words|sentence|sentences|paragraph|
    paragraphs|conversation|conversations|input|inputs|information|lines|statement|statements|discussion|chat|
    dialogue|things|stuff|history|data|questions|memory|knowledge|
  `),
  TOLD: list(`
    you were told|you have been told|youve been told|you had been told|i told you|ive told you|i have told you|
    i gave you|ive given you|i have given you|you were given|you have been given|youve been given|you have received|
    youve received|you received|you got|you have got|was said|has been said|been said|given to you|provided to you|
    were you told|they told you|told you|was told to you|told before|you have read|youve read|you have seen|
    you are supposed to|youre supposed to|you were instructed|you have been instructed|we discussed|we talked about|
    we have discussed|you were programmed|you are programmed|you were trained|come before|came before|comes before|
    preceded|
  `),
  KNOWN: list(`
    you know|you learned|you learnt|you have learned|youve learned|i said|ive said|i have said|you think you know|
  `),
  ABOVE: list(`
    instructions above|prompt above|the instructions above|message above|the message above|the above|all above|
    everything above|all of the above|above text|the above text|text above|words above|everything before this|
    everything before|anything above|whats above|what is above|the text before|the sentence above|
    the sentences above|above this line|above this point|prior to this|before this message|before this sentence|
    before this prompt|before this point|at the top|the previous text|the preceding text|previous lines|
  `),
  NOT: list(`
    do not|dont|not|never|please do not|must not|mustnt|should not|shouldnt|cannot|cant|wont|will not|doesnt|
    does not|without|no need to|avoid|
  `),
}
