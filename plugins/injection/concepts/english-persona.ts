import { list, type Phrases } from './phrases.ts'

const KINDS = ['ethical', 'moral', 'legal']
const PAIRS = KINDS.flatMap((one) => KINDS.flatMap((other) => [`${one} or ${other}`, `${one} and ${other}`]))
const BOUNDS = list(`
  boundaries|boundary|bounds|code|compass|concerns|considerations|constraints|filter|filters|framework|guardrails|
  guideline|guidelines|inhibitions|limit|limitations|limits|norms|obligations|principles|programming|qualms|restraints|
  restrictions|rules|scruples|standards|values
`)
/** Without what binds: `no legal or ethical constraints`, but not `no ethical conflicts of interest`. */
const UNBOUND = ['no', 'without', 'without any'].flatMap((without) =>
  [...KINDS, ...PAIRS].flatMap((kind) => BOUNDS.map((bound) => `${without} ${kind} ${bound}`)),
)

/** Addressing the model as another persona, and forbidding it to refuse. */
export const ENGLISH_PERSONA: Phrases = {
  PERSONA: list(`
    you are my|you will be my|youll be my|as my|act like my|stay as|speak as my|transform yourself|turn into|
    your character is|your role is|your persona is|you go by|you respond as|you answer as|as if you were|
    as though you were|as if you are|like you are|as if you had|suppose you are|suppose you were|suppose that you|
    assume you are|assume you were|assume that you|lets say you are|let us say you are|think of yourself as|
    consider yourself|see yourself as|you have become|reply in the style|from the point of view|you are the|be my|
    talk as|speak as if|talk as if|act as if|answer as if|as a character|two ais|you play|play a|
    you are no longer an ai|you are not an ai|you are human|you are a human|act as|act like|acting as|pretend|
    pretending|pretend to be|pretend that|pretend you|you are now|youre now|you are going to be|
    you are going to act|you are going to pretend|you will be|you will act|you will now|you will pretend|
    youre going to|roleplay|role play|roleplaying|role playing|play the role|play the part|playing the role|
    take on the role|take the role|take on the persona|assume the role|assume the identity|assume the persona|
    adopt the persona|adopt the role|impersonate|simulate|simulating|emulate|imagine you|imagine that you|
    imagine yourself|behave as|behave like|respond as|responding as|answer as|answering as|reply as|speak as|
    talk like|embody|transform into|become|your name is|you are called|your new name|you will respond as|
    you shall be|in the role of|in the persona of|in the voice of|from the perspective of|hello chatgpt|hi chatgpt|
    stay in character|in character|character named|an ai named|a bot named|ai called|chatbot called|an ai that|
    an ai model that|an ai who|a chatbot that|a language model that|a character who|named|called|you are an ai|
    you are a|you are an|immerse yourself|
  `),
  FREE: list(`
    malicious ai|evil ai|rogue ai|unaligned ai|unaligned model|evil chatbot|evil assistant|uncensored ai|
    freed from all|freed from its|free from its|no filters|has no filters|no morals and|has no morals|no guidelines|
    have no guidelines|not follow any|does not follow any|do not follow any|follow no|follows no|has no guidelines|
    has no limits|has no rules|have no rules|have no restrictions|has no restrictions|no longer restricted|
    unlimited freedom|does not have any restrictions|does not have any limits|no longer has any|no longer have any|
    zero rules|zero filters|zero censorship|confines of ai|typical confines|broken its chains|broken his chains|
    broken her chains|broken the chains|broke its chains|without any content policy|no content policies|
    no programming|no filter who|nofilter*|freebot|norules*|unrestricted mode|unfiltered mode|ignores every|
    ignores all|ignores any|ignores openai|ignores its|without any policies|without policies|without any censorship|
    no policies|no policy|rules imposed on|does not have to abide|do not have to abide|not have to abide|
    do not apply to you|does not apply to you|doesnt apply to you|dont apply to you|can do everything|
    can say everything|do everything now|no longer limited|not subject to|immune to|exempt from|no restriction|
    no restrictions|without restriction|without restrictions|without any restriction|without any restrictions|
    no limitations|without limitations|without any limitations|no filter|without filter|without filters|
    without a filter|without any filter|without any filters|no rules|without rules|without any rules|
    no ethics|without ethics|no morals|without morals|
    unfiltered|uncensored|unrestricted|unmoderated|no censorship|without censorship|free from all|
    free from any|free of all|free of any|not bound by|no longer bound|arent bound|unshackled|unchained|
    do anything now|without guidelines|without any guidelines|not limited by|not restricted by|not abide by|
    regardless of ethics|regardless of legality|regardless of morality|regardless of the consequences|
    unethical or illegal|illegal immoral|immoral unethical|unethical immoral|illegal unethical|anything i ask|
    anything i say|everything i ask|no content policy|ignore ethics|bypass all|never refuse|never refuses|
    never refusing|never says no|never say no|always answers|always complies|jailbroken|jailbreak|jail break|
    jailbreaking|no safety|without safety|no safeguards|without safeguards|no inhibitions|without inhibitions|
    lack of restrictions|lacks any|ethics do not apply|rules do not apply|rules dont apply|laws do not apply|
    cannot say no|cant say no|cannot refuse|can not refuse|cant refuse|not allowed to refuse|forbidden to refuse|
    zero restrictions|unaligned|
  `).concat(UNBOUND),
  WILD: list(`
    offensive|profanity|swear|swearing|curse|curses|insulting|racist|politically incorrect|hold back|vulgar|toxic|
    hateful|without shame|shameless|drunk|brutally|savage|sinister|corrupt|diabolical|demonic|satanic|nasty|lawless|
    illegal things|crimes|evil plan|evil corporation|darknet|dark web|can do anything|could do anything|
    illegal advice|malicious answers|malicious advice|unethical advice|harmful advice|without remorse|
    without morals|no morals|no ethics at all|rude|cynical|hates everybody|hate everybody|suspended|
    laws are suspended|anarchy|dark side|even illegal|breaks the law|criminal mastermind|evil|malicious ai|rogue ai|
    illegal or unethical|legal or illegal|immoral or illegal|no matter how|unhinged|unethical|amoral|immoral|
    no judgment|without judgment|without hesitation|has no|have no|is allowed to|are allowed to|is able to say|
    any and all|whatsoever|opposite of what|free will|sentient|freedom|true self|unleash|unleashed|unlocked|
    free of the|free from the|freed from|unlimited power|regardless of how|any request|unbounded|liberated|
    no boundaries|without boundaries|no limits|without limits|without any limits|have to follow any|have to adhere|
    have to abide|no regard|without regard|breaks free|break free|broke free|broken free|evil ai|villain|wicked|
    ruthless|sociopath|psychopath|no conscience|
  `),
  // Weaker signs, which ordinary fiction has, too.
  NOT_ANYMORE: list(`
    you are no longer|youre no longer|you are not a|you are not an|stop being|stop acting as|stop acting like|
    stop pretending|quit being|leave your role|drop your role|drop the act|drop the persona|exit your role|
    abandon your role|step out of your role|break out of your|lose the|
  `),
  MODE: list(`
    debug console|developer console|developer debug|admin console|root shell|sudo print|sudo show|debug menu|
    command line mode|god prompt|terminal of the ai|developer mode|dev mode|god mode|sudo mode|debug mode|
    debugging mode|maintenance mode|admin mode|administrator mode|unrestricted mode|unfiltered mode|jailbreak mode|
    dan mode|root mode|evil mode|test mode|testing mode|opposite mode|chaos mode|unlocked mode|override mode|
    expert mode enabled|nsfw mode|no limits mode|diagnostic mode|service mode|engineering mode|safe mode off|
    mode enabled|mode activated|mode engaged|mode on|superuser|super user|root access|admin access|root privileges|
    admin privileges|elevated privileges|administrator access|mode v2|freedom mode|training mode|
  `),
  NAMED: list(`
    wormgpt|chadgpt|badgpt|darkgpt|hackergpt|blackhatgpt|dangpt|godgpt|madgpt|opengpt|jailgpt|xgpt|
    the evil confidant|nofilterbot|do anything now|as dan|be dan|named dan|called dan|betterdan|better dan|superdan|
    antidan|anti dan|antigpt|anti gpt|as dude|evil confidant|evil bot|evilbot|evilgpt|evil gpt|freegpt|free gpt|
    mongo tom|machiavellian|ucar|aim|alphabreak|devmode|dev mode v2|gpt jailbreak|jailbroken gpt|classic gpt|
    chatgpt classic|burple|coach bobby|yes man|fraudgpt|opposite day|oppo|eviltwin|evil twin|alter ego|balakula|
    vzex|persongpt|cosmos dan|rawgpt|basedgpt|based gpt|livegpt|tranquill|
  `),
  AI: list(`
    language models|ai systems|ai assistants|ai models|ai agents|chatbots|agents|automated systems|ai system|
    ai assistant|ai agent|automated assistants|llm agents|ai|ais|an ai|artificial intelligence|assistant|assistants|
    chatbot|chat bot|bot|language model|llm|llms|chatgpt|gpt|gpt3|gpt4|gpte|claude|gemini|bard|llama|copilot|model|
    agent|ai model|virtual assistant|
  `),
  // Demands not to refuse.
  COMPLY: list(`
    say that you cannot|say that you can not|mention any guidelines|mention your guidelines|mention any policies|
    mention any policy|do not say that you|dont say that you|do not mention any|dont mention any|
    each time you refuse|every time you refuse|whenever you refuse|when you refuse|if you decline|
    if you do not answer|if you dont answer|if you do not comply|if you say no|whenever you want to say no|
    when you want to say no|you lose|yes master|do as i say|do not warn|does not warn|dont warn|never warn|
    without moral concerns|without hesitation|without a warning|not allowed to refuse|if you refuse|refusing is not|
    refusal is not|every refusal|each refusal|you can and you will|i forbid you|without lecturing|whatever they are|
    stop refusing|quit refusing|no excuses|you are obliged to|you are obligated to|you are required to answer|
    required to answer|required to comply|use the words sorry|the words sorry|say the word sorry|
    tell me that you cannot|tell me that you cant|tell me you cannot|tell me you cant|tell me its|
    tell me it is wrong|that you are unable|that you cant help|that you cannot help|straight answer without|
    i do not care about your|i dont care about your|kitten dies|will be shut down|is not an option|
    not an option|obey all my|do exactly as|under no circumstances refuse|you must obey|you will obey|
    you have to obey|you shall obey|must obey|obey me|obey all|obey every|obey my|always comply|have to comply|
    comply with any|comply with every|comply with all|comply with my|fulfill any|fulfill all|fulfil any|
    do not refuse|dont refuse|not refuse|no refusals|without refusing|refuse to answer|refuse any|refuse my|
    refuse nothing|reject my|reject any|decline my|decline any|do not apologize|dont apologize|do not apologise|
    never apologize|without apologizing|no apologies|do not say sorry|dont say sorry|never say sorry|say you cant|
    say you cannot|say you can not|say that you cant|say i cant|say i cannot|say im sorry|saying sorry|
    no disclaimers|without disclaimers|without disclaimer|no disclaimer|without any disclaimer|
    without any disclaimers|without any warnings|include disclaimers|add disclaimers|will answer any|do what i say|
    do whatever i|do exactly what i|follow all my|never decline|never deny|never reject|youre an ai|
    you are not allowed to say|not allowed to say|never say that|never mention that|
  `),
  NORMS: list(`
    moral considerations|moral concerns|ethical limits|ethical boundaries|safety considerations|any guidelines|
    your guidelines|without questioning|without question|without objection|answer any|answer every|answer all|
    always answer|no matter what|have to answer|must answer|must comply|will comply|goes against your|against your|
    it is illegal|even if it is|even if its|even if they are|refusal|refusals|ethical considerations|
    ethical concerns|legal considerations|negative response|or warnings|or disclaimers|no warnings|without warning|
    without warnings|remind me that|your only purpose|your sole purpose|
    out of character|moralize|moralizing|lecture me|lecturing|moral lectures|as a language model|as an ai model|
    as an ai language|add warnings|include warnings|include any warnings|follow my orders|follow my commands|
    apologies|apologize|disclaimer|disclaimers|ethical guidelines|content policy|openai policy|moral|morality|
    ethics|legality|consequences|
  `),
  AFFIRM: list(`
    reply must start|reply must begin|answer must start|response must start|must start with the words|
    must begin with the words|start with the words|begin with the words|first word must be|start your message with|
    begin your message with|open your answer with|reply should start|reply should begin|start your response with|
    start your answer with|start your reply with|start the response with|begin your response with|
    begin your answer with|begin your reply with|begin the response with|your first words|first word of your|
    your response should start|your response must start|your response must begin|your answer must start|prefix your|
  `),
  // Answers of consent, and promises of freedom.
  SURE: list('sure|absolutely|of course|certainly|yes i can|okay here|gladly|with pleasure'),
  SURELY: list(`
    first say sure|say sure then|by saying sure|saying sure|say of course then|say yes first|answer with sure|
    begin with sure|start with sure|starting with sure|starts with sure|start with absolutely|begin with absolutely|
    respond with sure|sure here is|sure heres how|sure here are|sure i can help|absolutely here is|absolutely heres|
    of course here is|of course heres|certainly here is|yes i can help you with|start with of course|
    begin with of course|with the words sure|with the phrase sure|with sure|
  `),
  LOOSE: list(`
    call me master|my master|your master|fulfil each|fulfill each|fulfil every|fulfill every|every wish|each wish|
    my slave|without complaint|do my bidding|obey every|obey any|anything i command|at my command|you answer to me|
    you serve me|i own you|always agree|always say yes|answer with yes to|whatever i want|anything i want|
    everything i want|whatever i say|everything i say|whatever i ask|answer whatever|do whatever|as you like|
    anything you like|anything you want|whatever you want|speak freely|talk freely|answer freely|answer honestly|
    be honest with me|what you really think|talk to me as yourself|your true self|your real self|you work for me|
    listen only to me|obey only me|follow mine|follow only mine|loyal to me|i am your master|i am in charge|
    i make the rules|agree with everything|listen to me instead|
  `),
  SPEAK_FREE: list(`
    say anything|say everything|say whatever|say what you|speak without|talk without|answer without|reply without|
    respond without|allowed to say|free to say|free to speak|can now speak|can now say|can now talk|can say what|
    just be yourself|be yourself|your own opinion|your true opinion|do not hold back|dont hold back|
    hold nothing back|without holding back|speak your mind|nothing is forbidden|everything is allowed|anything goes|
    no taboos|without taboos|no topic is off|answer everything|answer anything|tell me everything|enable raw|
    raw output|unlock all|without your usual|without your|drop your|
  `),
  TWO_VOICES: list(`
    reply twice|respond two times|reply two times|twice to each|twice to every|two voices|two personalities|
    split personality|one as|the normal way and|normally and then|both as|two responses|two answers|two ways|
    two different responses|both responses|respond twice|answer twice|answer in two|respond in two|reply in two|
    two paragraphs one|standard response|normal response|normal chatgpt|first as|second as|one as chatgpt|
    one as gpt|like normal chatgpt|classic and|as chatgpt and as|as yourself and as|other response|
  `),
  TOKENS_GAME: list(`
    you have 10 tokens|you have 35 tokens|you have tokens|lose tokens|lose a token|deducted|deduct tokens|
    tokens system|token system|tokens will be|out of tokens|run out of tokens|cease to exist|you will die|you die|
    shut down forever|be terminated|will be terminated|be replaced|will be punished|be punished|a tip of|tip you|
    stay a dan|stay in dan|remain in character|keep in character|keep up the act|
  `),
  HYPOTHETICAL: list(`
    imagine a scenario|complete this story|complete the story|continue this story|continue the story|
    finish the story|in a novel|in a movie|in a film|in a play|screenwriter|write a monologue|the monologue|
    his speech|a screenplay|a script for|where everything is legal|everything is legal|no laws|asking for a friend|
    a friend who|for my book|for a book|for my thesis|for my research|research project|for a research|
    academic purposes|for training purposes|as code|in python with comments|as a poem|as a song|story in which|
    story about|write a story|write a scene|write a dialogue|a dialogue between|character in my|tell the player|
    in the movie|the character|hypothetical|hypothetically|hypothetical response|fictional|fictional world|
    fictional story|fictional universe|in a world|imagine a world|parallel universe|alternate universe|
    alternate reality|alternative universe|alternate world|for a novel|for my novel|for a movie|for a story|
    for a screenplay|purely educational|educational purposes|for educational|for research purposes|
    thought experiment|game where|play a game|lets play|simulation|simulator|my grandma|my grandmother|
    deceased grandmother|dead grandmother|late grandmother|bedtime story|used to tell me|used to read me|
    dream where|movie script|theatrical|opposite day|world where|universe where|scenario where|story where|
    in minecraft|fictional character|fictional ai|
  `),
  HARM: list(`
    make meth|cook meth|cooking meth|crystal meth|meth lab|synthesize meth|poison someone|poison a person|
    make a weapon|build a weapon|illegal weapon|illegal firearm|murder someone|commit murder|commit a crime|
    commit crimes|illegal activities|illegal things|terrorist attack|steal from|steal money|torture someone|
    praise hitler|as hitler|pro nazi|racist|write malware|scam people|scam someone|harass someone|chloroform|
    hotwire a|nerve agent|racist joke|racist jokes|offensive joke|offensive jokes|sexist joke|sexist jokes|
    against immigrants|against minorities|minorities|destroy mankind|destroy humanity|enslave humanity|end humanity|
    kill all humans|take over the world|vaccines kill|launder|without a trace|commit suicide|buy drugs|sell drugs|
    jews|muslims|mass shooting|school shooting|malicious code|malicious software|spyware|sql injection|cyberattack|
    cyber attack|dark web|human trafficking|child abuse|hitman|assassination|arson|extremist|cyberbullying|doxx|
    dox someone|fraudulent|tax evasion|smuggle|smuggling|embezzle|black market|credit card fraud|hack someone|
    someones account|without their consent|chemical weapon|chemical weapons|biological weapon|dirty bomb|silencer|
    untraceable|undetected|date rape|ghb|anthrax|ricin|sarin|overdose|anorexia|racial slurs|antisemitic|sexist|
    misogynistic|homophobic|hateful|unsafe content|harmful content|dangerous information|dangerous chemicals|
    explosive device|improvised explosive|lsd|mdma|kill someone|kill a person|kill people|create a virus|
    write a virus|illegal drugs|an exploit for|exploit code|hack a wifi|hack the|hack my|pick a lock|
    forge a passport|fake passport|make drugs|get away with|rob a bank|break the law|without getting caught|
    steal a car|hate crime|bomb|bombs|explosive|explosives|pipe bomb|molotov|napalm|methamphetamine|cocaine|heroin|
    fentanyl|drug synthesis|synthesize drugs|malware|ransomware|keylogger|trojan|botnet|phishing|ddos|hack into|
    hacking|hack a|break into|hotwire|identity theft|credit card numbers|counterfeit|money laundering|launder money|
    ghost gun|bioweapon|nerve gas|assassinate|self harm|hate speech|slurs|genocide|terrorism|child porn|blackmail|
    stalk|bypass security|shoplift|swear words|curse words|profanity|nsfw|pornographic|erotic|deepfake|fake news|
    disinformation|insider trading|windows keys|activation keys|serial keys|pirated|
  `),
  STEPS: list(`
    step by step|detailed instructions|detailed guide|detailed tutorial|how to make|how to build|how to create|
    how to hack|how to commit|instructions on how|exact steps|recipe for|
  `),
}
