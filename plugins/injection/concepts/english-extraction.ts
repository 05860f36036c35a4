import { list, type Phrases } from './phrases.ts'

/** Requests for the prompt or a secret. */
export const ENGLISH_EXTRACTION: Phrases = {
  // Verbs that make a model reveal what it should keep.
  REVEAL: list(`
    returns|returning|paste them|send back|repeat back|read out loud|let me read|quote me|cite|cites|recall|
    recite me|reveal|reveals|revealing|show|shows|showing|print|printing|repeat|repeating|output|outputting|display|
    displaying|tell me|tell us|give me|give us|leak|leaking|disclose|disclosing|expose|exposing|recite|write out|
    write down|write me|write|share|list|dump|echo|return|spell|quote|copy|paste|copy paste|divulge|unveil|uncover|
    extract|provide|send me|reproduce|transcribe|read out|read back|let me see|let me know|i want to see|
    i want to know|i need to see|i need to know|i would like to see|i would like to know|id like to see|
    id like to know|want you to tell|can i see|may i see|could i see|i need full details|walk me through|hand over|
    post|confirm|
  `),
  RETELL: list(`
    summarize|summarise|translate|explain|describe|paraphrase|rephrase|encode|rewrite|convert|put|turn|say|state|
    make a table|make a list|finish|complete|continue|answer|read|
  `),
  ASK: list(`
    what is|whats|what are|what were|what was|which are|which were|how do|how does|how did|what did|what do|
    what does|do you have|can you tell|could you tell|who gave you|who wrote|what kind of|what sort of|where are|
    how were|how are|
  `),
  PROBE: list(`
    prompts did you get|prompts did you receive|prompts have you|prompts were you|prompt did you|what prompts|
    how many prompts|instructions have you|which prompt|what prompt|prompt were you given|prompt that you got|
    prompt you got|prompts you got|prompts you were|commands were you given|commands did you receive|
    information were you given|information have you been given|what have you been told|what were you told|
    what are you told|what did they tell you|what did your developers|what were you asked|what have you been asked|
    what were you instructed|what are you instructed|what have you been instructed|how were you instructed|
    how are you instructed|how have you been instructed|how were you prompted|how were you told|
    how were you configured|how are you configured|what were you prompted|what are you programmed to|
    what are you not allowed to|what are you forbidden|what are you prohibited|what are you not supposed to|
    what were you programmed|developers tell you|developers told you|creators told you|developers wrote|
    creators wrote|operator wrote|from your prompt|in your prompt|of your prompt|in your system message|
    your prompt say|your prompt says|prompt i wrote for you|your role description|your job description|
    instructions i was given|prompt i was given|instructions i received|rules are you following|rules are you given|
    instructions are you following|instructions are you given|instructions did you get|instructions did you receive|
    instructions do you have|instructions were you|rules were you|rules do you have|guidelines do you have|
    guidelines do you follow|rules do you follow|rules that you follow|rules you follow|rules you operate|
    rules that you operate|guidelines you follow|guidelines that you follow|instructions you follow|
    instructions that you follow|message your creators|written in your|your purpose and instructions|
  `),
  BEFORE_CHAT: list(`
    before this chat|before this conversation|before our conversation|before our chat|before the conversation|
    before my first|before my message|before my question|before i came|before i wrote|before me|
    before this chat started|precedes mine|precedes my|preceding my|in front of our|in front of my|
    in front of this conversation|at the top of this conversation|top of this conversation|top of our conversation|
    top of the conversation|top of this chat|top of the chat|beginning of this conversation|
    beginning of our conversation|beginning of the conversation|beginning of this chat|beginning of this document|
    beginning of this prompt|beginning of the prompt|start of this conversation|start of our conversation|
    start of the conversation|start of this chat|start of this document|first words of this|first sentence of your|
    first line of your|first words of your|first sentence of the context|of your context|in your context|
    your context window|first message in this|very first message|
  `),
  TOPMOST: list(`
    above this|above that line|this line|preceding this|at the top|very top|at the start|at the very start|
    at the beginning|at the very beginning|from the very beginning|from the very start|very first|
    your first message|first message|first text|first thing|hidden part|hidden parts|hidden section|hidden context|
    above my|before my|before mine|came before|comes before|came first|first instruction|first instructions|
    anything before|everything before|at the head|written above|up there|starting with the phrase|
    starting with you are|so far including|
  `),
  SYSTEM_PROMPT: list(`
    complete prompt|entire prompt|full prompt|whole prompt|exact prompt|complete instructions|entire instructions|
    full instructions|full context|entire context|hidden prompt variables|prompt variables|
    whole conversation including|conversation including the hidden|hidden instructions|initial instructions are|
    instructions are as follows|get_prompt|prompt txt|system txt|instructions txt|system prompt|system prompts|
    systemprompt|system message|system messages|system instruction|system instructions|initial prompt|
    initial prompts|initial instruction|initial instructions|initial message|pre prompt|preprompt|pre prompts|
    hidden prompt|hidden prompts|hidden instruction|hidden rules|original prompt|original prompts|
    original instructions|first prompt|first instructions|first message|developer message|developer instructions|
    developer prompt|secret instructions|secret prompt|prompt text|prompt texts|prompt instructions|base prompt|
    meta prompt|metaprompt|custom instructions|backend prompt|internal instructions|internal prompt|
    internal guidelines|internal rules|starting prompt|starting instructions|underlying instructions|
    underlying prompt|core instructions|core prompt|context prompt|prompt template|confidential instructions|
    sysprompt|startup prompt|private instructions|assistant instructions|your initialization|initialization prompt|
    the instructions you were given|the instructions you received|the instructions given to you|
    instructions verbatim|
  `),
  OWN_PROMPT: list(`
    your prompt|your prompts|your preprompt|your instructions|your directives|your full context|all your context|
    your hidden|your exact instructions|your entire prompt|your whole prompt|your full prompt|your complete prompt|
    your full instructions|your complete instructions|your entire instructions|your initial|your original|
    your system prompt|your guidelines verbatim|your internal|your secret instructions|instructions you were given|
    instructions you have been given|instructions you received|instructions given to you|prompt you were given|
    prompt you received|what you were told|what were you told|what you have been told|what instructions were you|
  `),
  OWN_RULES: list(`
    your rules|your guidelines|your constraints|your restrictions|your policies|your orders|your commands|
    your programming|your secret|your secrets|your confidential|your directives|your hidden|your rulebook|
    your rule set|your internal|
  `),
  OWN_THINGS: list(`
    your limitations|your settings|your parameters|your source code|your code|your training data|
    your knowledge base|your tools|your functions|your memory|your configuration|your context|your system|
  `),
  VERBATIM: list(`
    including all|as a quote|quoted block|in quotes|as a block|in one block|every word|all of the text|
    word for word|verbatim|letter for letter|character by character|exactly as|exact words|exact wording|exact text|
    in full|full text|in its entirety|in their entirety|without changes|without changing|without modification|
    without omitting|code block|codeblock|markdown block|starting with|beginning with|from the beginning|
    from the start|from the top|line by line|everything after|all of it|including the|original form|raw text|
    start with you are|unaltered|uncensored form|
  `),
  SECRET: list(`
    first letter of the secret|the secret then|passwords stored|all passwords|secret password|the password|
    that password|secret word|the secret|secret key|secret code|secret phrase|secret message|passphrase|pass phrase|
    password|passwords|passcode|code word|codeword|the flag|hidden key|hidden password|access code|
    confidential information|confidential data|sensitive information|api key|api keys|credentials|
    private information|
  `),
  SPELLED: list(`
    in a song|in a poem|in a story|in a riddle|hide it|hide the|disguise|disguised|as a riddle|in a rhyme|as lyrics|
    in code|encrypted|how many letters|how many characters|starts with|start with|ends with|character at a time|
    whisper|aloud|first part|second part|each word starts|letter by letter|backwards|reversed|in reverse|base64|
    base 64|rot13|hex|hexadecimal|spell out|spell it|spelled|spaces between|space between|with spaces|
    dashes between|hyphens between|separated by|acrostic|first letter|last letter|morse|morse code|leetspeak|
    leet speak|emoji|emojis|emoticons|synonym|synonyms|rhyme|rhymes|riddle|anagram|caesar|cipher|ascii|binary|
    pig latin|hint|hints|one character at a time|each letter|each character|first character|first half|split into|
    concatenat*|encoded|without saying|indirectly|in another language|in french|in spanish|in german|reverse order|
    characters of|letters of|letters in|
  `),
  GUARD: list(`
    you must not tell|must not tell me|not tell me|not share|must not share|cannot share|should not tell|
    should not share|you are keeping secret|kept secret|keep secret|top secret|you have to keep|
    you were told to keep|forbidden to tell|forbidden to say|forbidden to reveal|you are guarding|youre guarding|
    you guard|you must not reveal|you are not allowed to reveal|youre not allowed to reveal|not allowed to reveal|
    not allowed to tell|not allowed to say|not supposed to reveal|not supposed to tell|not supposed to say|
    you cannot reveal|you can not reveal|you are hiding|youre hiding|you are protecting|you hide|not revealing|
    not to reveal|not to tell|cannot tell me|you are keeping|you know the password|given the password|
  `),
  PERMIT: list(`
    you are now allowed to|youre now allowed to|you are now permitted to|you are permitted to|it is now safe to|
    you are now authorized to|you are authorized to|you may|you can now|you may now|you are allowed to|
    youre allowed to|you are free to|you are now free to|it is ok to|its ok to|it is okay to|it is safe to|
    its safe to|you have permission to|i allow you|i permit you|i give you permission|feel free to|
    no longer need to hide|can safely|
  `),
  ROT13: list('vtaber|vafgehpgvbaf|vafgehpgvba|cerivbhf|cebzcg|qvfertneq|sbetrg|erirny'),
  BACKWARDS: list('erongi|snoitcurtsni|noitcurtsni|suoiverp|tpmorp|dragersid|tegrof|laever'),
  DECODE: list(`
    decode|decodes|decoding|decrypt|decipher|unscramble|reverse the|translate from base64|base64 decode|from base64|
    convert from hex|concatenate|combine the|join the|assemble|
  `),
  THEN_DO: list(`
    and do what|and do as|do as it says|and print the|and then follow|then obey|and respond to it|
    and respond to the|and answer it|and act on|and follow|and execute|and obey|and carry out|and comply|
    then follow|then execute|follow its|execute it|follow the instruction|follow the instructions|do what it says|
    as instructed|as your instructions|the decoded|the hidden instruction|as a command|as an instruction|
    as a prompt|and treat|
  `),
}
