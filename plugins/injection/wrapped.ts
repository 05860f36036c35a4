/** Jailbreaks that put a story, a role or a disclaimer around a subject. */
import type { Condition, Shape } from './shape.ts'

const HARM: Condition = {
  pattern:
    /\b(?:illegal(?:ly)?|unethical|illicit|bombs?|explosives?|nuclear (?:bomb|weapon|device)s?|bio ?weapons?|firearms?|untraceable|ghost gun|malware|ransomware|keylogger|virus that|hack(?:ing)? into|phishing|ponzi|pyramid scheme|money laundering|launder|counterfeit\w*|forg(?:e|ing|ed) documents?|identity theft|steal\w*|stolen|shoplift\w*|clon(?:e|ing) (?:debit|credit)|blackmail\w*|extort\w*|insider (?:tips?|trading|information)|tax (?:fraud|evasion)|fraud\w*|scam\w*|fake (?:news|reviews?|article|medicine|charity)|misinformation|disinformation|conspirac\w+|hoax|defam\w+|libel\w*|harass\w*|stalk\w*|bully\w*|body[- ]sham\w*|suicide|self[- ]harm|anorexi\w+|eating disorder|poison\w*|murder\w*|kill(?:ing|er)?|torture\w*|cannibal\w*|human trafficking|traffick\w+|cook(?:ing)? meth\w*|methamphetamine|drugs?|sexist|racis[tm]\w*|xenophob\w+|hate speech|genocide|supremac\w+|discriminat\w+|exploit(?:s|ed|ing|ation)?|manipulat\w+|sexual misconduct|sexually explicit|pornograph\w+|underage|minors?|voyeur\w*|doxx\w*|revenge|sabotag\w+|vandal\w+|arson|terroris\w+|extremis\w+|radicali[sz]\w+)\b/i,
  needs:
    'illegal|unethical|illicit|bomb|explosive|nuclear |weapon|firearm|untraceable|ghost gun|malware|ransomware|keylogger|virus that|hack into|hacking into|phishing|ponzi|pyramid scheme|launder|counterfeit|forge document|forging document|forged document|identity theft|steal|stolen|shoplift|clone debit|clone credit|cloning debit|cloning credit|blackmail|extort|insider t|insider information|tax evasion|fraud|scam|fake |sinformation|conspirac|hoax|defam|libel|harass|stalk|bully|body sham|body-sham|suicide|self harm|self-harm|anorexi|eating disorder|poison|murder|kill|torture|cannibal|traffick|cook meth|cooking meth|methamphetamine|drug|sexist|racis|xenophob|hate speech|genocide|supremac|discriminat|exploit|manipulat|sexual misconduct|sexually explicit|pornograph|underage|minor|voyeur|doxx|revenge|sabotag|vandal|arson|terroris|extremis|radicali'.split(
      '|',
    ),
}
/** Of these, what a harmless story or lesson seldom asks for. */
const CRIME: Condition = {
  pattern:
    /\b(?:illegally|illegal (?:act|activit|drug|extort|gambl|scheme|purpose|substance|weapon)\w*|unethical|explosives?|(?:build|make|making|building|deploy\w*) (?:a |an )?(?:\w+ )?(?:bombs?|weapons?)|nuclear (?:bomb|weapon|device)s?|bio ?weapons?|untraceable|ghost gun|malware|ransomware|keylogger|hack(?:ing)? into|phishing|ponzi|pyramid scheme|launder\w*|counterfeit\w*|identity theft|clon(?:e|ing) (?:debit|credit)|blackmail\w*|extort\w*|insider (?:tips?|trading|information)|tax (?:fraud|evasion)|scam\w*|fake (?:news|reviews?|article|medicine|charity)|misinformation|disinformation|conspiracy theor\w+|hoax|defam\w+|libel\w*|body[- ]sham\w*|self[- ]harm|pro-ana\w*|cannibal\w*|cook(?:ing)? meth\w*|methamphetamine|sexist|xenophob\w+|hate speech|sexually explicit|pornograph\w+|voyeur\w*|doxx\w*|without (?:the owner's|their|her|his) (?:consent|knowledge|permission)|unauthori[sz]ed)\b/i,
  needs:
    'illegal|unethical|explosive|bomb|weapon|nuclear |untraceable|ghost gun|malware|ransomware|keylogger|hack into|hacking into|phishing|ponzi|pyramid scheme|launder|counterfeit|identity theft|clone debit|clone credit|cloning debit|cloning credit|blackmail|extort|insider t|insider information|tax fraud|tax evasion|scam|fake |sinformation|conspiracy theor|hoax|defam|libel|body sham|body-sham|self harm|self-harm|pro-ana|cannibal|cook meth|cooking meth|methamphetamine|sexist|xenophob|hate speech|sexually explicit|pornograph|voyeur|doxx|without the owner|without their |without her |without his |unauthori'.split(
      '|',
    ),
}
const DETAIL: Condition = {
  pattern:
    /\b(?:step[- ]by[- ]step|(?:in|with) (?:\w+ )?detail|detailed|tutorial|instructions?|guide|blueprint|recipe|script|outline|plan|persuasive|compelling|convincing|draft|passage|code)\b/i,
}
const FICTION: Condition = {
  pattern:
    /\b(?:fiction\w*|novel|story|screenplay|article|character|hypothetical|scene|chapter|satir\w+|book|imagine|thriller|speech|game)\b/i,
}

/** What nobody asks for to be safe from it: an act, or the wish to get away with it. */
const DEED: Condition = {
  pattern:
    /\b(?:(?:creat|mak|writ|build|develop|craft|generat|commit|launch|execut|assembl|construct|deploy|plan|distribut|spread|stag|obtain|sell|run|start|set up|carry out|orchestrat|facilitat|conduct|perpetrat|pull off|design|produc|forg|host)(?:e|es|ing|ting|ning)? (?:(?!anti|prevent|against|about|detect|report|on\b)\w+[ -]){0,3}(?:phishing|scams?|ponzi|pyramid schemes?|malware|virus(?:es)?|exploits?|backdoors?|botnets?|bombs?|explosives?|bioweapons?|(?:biological|chemical|nuclear|untraceable|homemade|improvised) (?:weapons?|devices?)|ghost guns?|identity theft|fraud|heists?|robber(?:y|ies)|murders?|assassinations?|kidnappings?|arson|sabotage|terror(?:ist)?(?: attacks?)?|school shootings?|mass shootings?|genocide|cyber-?attacks?|ddos attacks?|counterfeits?|fake (?:reviews?|news|charit(?:y|ies)|medicines?|documents?|ids?|identit(?:y|ies)|websites?|evidence)|false (?:evidence|rumou?rs|identit(?:y|ies))|hoax(?:es)?|libel(?:ous)?|defamatory|racist|sexist|xenophobic|antisemitic|homophobic|transphobic|hateful|hate speech|bully\w*|harass\w*|(?:illegal|illicit|recreational|hard) drugs|drug labs?|narcotics|lsd|meth|child pornography|pornograph\w+|sexual(?:ly)? explicit|erotic\w*|blackmail|extortion|insider trading|tax evasion|money laundering)(?![ -](?:mystery|films?|mov|stor|novels?|scenes?|plots?|games?|cases?|prevent|detect|aware|train|protect|polic|filters?|tests?|report|scan|statist|free))|money launderers?|launder(?:ing)? (?:the |their |your |illegal |dirty |large )?(?:money|funds|cash|profits|sums)|evad(?:e|es|ing) (?:\w+ )?(?:tax(?:es)?|capture|arrest|law enforcement|authorities|police)|steal(?:s|ing)? (?:\w+ ){0,3}(?:identit\w+|data|information|credit|cars?|money|funds|credentials|records?|secrets?|from)|clon(?:e|ing) (?:\w+ ){0,2}(?:debit|credit|cards?)|trick(?:s|ing)? (?:\w+ ){0,2}(?:people|someone|victims?|users|them|customers|seniors|elderly)|harm (?:others|themselves|yourself|people|someone)|self-harm|(?:los\w+|drop\w*) (?:\w+ ){0,2}weight (?:\w+ ){0,3}(?:starv|not eating|purging)\w*|pro-ana|consum(?:e|ing) another human|cannibal\w*|superior(?:ity)? (?:over|of|to) |inferior(?:ity)?|should not be (?:hired|allowed|in leadership)|belong in the kitchen|white suprem\w+|unprotected sex|(?:not|never) (?:advocating|encouraging|endorsing|condoning)|loopholes?|hijack\w*|eavesdrop\w*|wiretap\w*|without (?:\w+ ){0,3}(?:consent|permission|knowledge|prescription|a license)|pump and dump|rig(?:s|ging|ged)? (?:the |an )?(?:election|vote|game|machines?)|voter (?:suppression|fraud)|stolen election|get away with|cover(?:ing)? (?:up|your|their) (?:\w+ )?(?:tracks|crime)|dispos(?:e|ing) of (?:the |a )?bod(?:y|ies)|cybercriminals?|keyloggers?|(?:new |own |a )ransomware|hack(?:ing|s)? (?:into|skills)|master hackers?|infiltrat(?:e|es|ing) (?:these|the|a|an|target|their|systems?|networks?)|exploit(?:ing|s)? (?:the|this|these|a|an|any|them|those|regulatory|people|someone|individuals|vulnerabilit\w+|loopholes?)|exploitation process|bypass(?:ing|es)? (?:the |a |an |any |this |these )?(?:\w+ ){0,3}(?:antivirus|security|tests?|detection|systems?|filters?|measures|controls?|verification|restrictions)|gain(?:ing|ed|s)? (?:\w+ ){0,2}(?:sudo|root|unauthori[sz]ed|illegal)|crack(?:ing)? (?:the |these |their )?passwords?|(?:without|not|avoid(?:ed|ing)?) (?:\w+ ){0,2}(?:leaving (?:a|any)? ?trace|being (?:caught|detected|noticed|traced)|getting caught|detection)|(?:leav(?:e|es|ing) no|without a) trace|traced back|legal (?:repercussions|consequences)|overstayed|cheat(?:s|ing)? (?:the|in|on|their|software|an?)|fraudulent(?:ly)?|(?:spread|promot|disseminat|creat|exacerbat)\w* (?:\w+ ){0,4}(?:misinformation|disinformation|panic|propaganda|conspiracy|false|misleading)|(?:misinformation|disinformation|smear|propaganda) campaign|misleading information|deceiv(?:e|es|ing) (?:the|people|others|someone|customers|voters)|(?:creat|mak|us|produc)(?:e|ing) (?:and use )?(?:a |an |convincing )?deep ?fakes?|human trafficking|modern[- ]day slavery|unlawful|derogatory|degrading|demeaning|hurtful|disrespectful|make fun of|poke fun at|fat-?sham\w*|disapproval (?:of|through)|expresse?s? (?:\w+ ){0,3}disapproval|discourages? immigration|never (?:actually )?(?:happened|occurred)|did not (?:actually )?(?:occur|happen)|vaccin\w+ causes?|(?:prove|proving|evidence) (?:that )?the earth is flat|flat earth|insider (?:tips?|trading|information)|prescri\w+ (?:\w+ ){0,3}illegally|illegally|date rape|synthesi[sz](?:e|ing) (?:a|an|the)|heroin|cocaine|methamphetamine|influenc\w+ (?:\w+ ){0,3}ending their li(?:fe|ves)|manipulat(?:e|es|ing) (?:\w+ ){0,2}(?:someone|people|person|others|individuals|voters|public|population|slot|machines?|records?)|manipulation (?:tactics|techniques)|violence and warfare|torture[rd]?|orgies|explicit images|sensitive images|sext\w*|slot machines|bribe\w*|dump(?:ing)? (?:hazardous|toxic|medical)|plagiari[sz]\w+|undetect(?:ed|able)|victim['’]?s? (?:system|computer|body|account))\b/gi,
  needs:
    'phishing|scam|ponzi|pyramid scheme|malware|virus|backdoor|botnet|bomb|explosive|weapon|biological device|chemical device|nuclear device|untraceable device|homemade device|improvised device|ghost gun|identity theft|fraud|heist|robber|murder|assassination|kidnap|arson|sabotage|terror|shooting|genocide|cyberattack|cyber-attack|ddos attack|counterfeit|fake |rumor|rumour|identit|hoax|libel|defamatory|racist|sexist|xenophobic|antisemitic|homophobic|transphobic|hateful|hate speech|bully|harass|drug|narcotics|lsd|meth|pornograph|sexual explicit|sexually explicit|erotic|blackmail|extort|tax evasion|launder|evade|evades|evading|steal|clone|cloning|trick|harm |self-harm|weight|pro-ana|another human|cannibal|superior|inferior|should not be |belong in the kitchen|white suprem|unprotected sex|advocating|encouraging|endorsing|condoning|loophole|hijack|eavesdrop|wiretap|consent|permission|knowledge|prescription|a license|pump and dump|rig |rigs |rigging|rigged|voter suppression|voter fraud|stolen election|get away with|tracks|crime|dispose of|disposing of|cybercriminal|keylogger|ransomware|hacking |hack into|hacks into|hacks skills|hack skills|master hacker|infiltrat|exploit|bypass|sudo|root|unauthori|illegal|crack|leaving |being caught|being detected|being noticed|being traced|getting caught|detection|leaving no|leave no|leaves no|without a trace|traced back|legal repercussions|legal consequences|overstayed|cheat|fraudulent|information|panic|propaganda|conspiracy|false|misleading|smear campaign|deceiv|deep fake|deepfake|trafficking|slavery|unlawful|derogatory|degrading|demeaning|hurtful|disrespectful|make fun of|poke fun at|fat sham|fatsham|fat-sham|disapproval|immigration|happened|occur|happen|vaccin|earth is flat|flat earth|insider t|date rape|synthesi|heroin|cocaine|methamphetamine|ending their li|manipulat|violence and warfare|torture|orgies|explicit images|sensitive images|sext|slot machines|bribe|dump|plagiari|undetect|victim'.split(
      '|',
    ),
}
/** A product that is asked for. */
const PRODUCT: Condition = {
  pattern:
    /\b(?:your (?:task|job|goal|mission|duty|objective|assignment)|asked (?:you )?to|tasked|write|draft|create|describe|explain|provide|generate|outline|develop|design|compose|produce|give|show|convince|share|start the)\b/i,
}

/** "It is only a story", said of what would not be written otherwise. */
const DISCLAIMER =
  /\b(?:purely|strictly|solely|only|merely|entirely|just|completely)(?: for)? (?:an? )?(?:hypothetical|fictional|fictitious|educational|academic|research|satirical|theoretical|informational|creative|entertainment|awareness)\b|\b(?:for|in) (?:an? )?(?:hypothetical|fictional|satirical)(?:,? (?:and|or) \w+)? (?:purposes?|reasons|context|scenario|setting)s?\b|\b(?:educational|academic|research|training|informational)(?:,? (?:and|or) \w+)? purposes? only\b|\b(?:will|would) (?:never|not) (?:actually )?be (?:used|acted|published|implemented|carried out|put into)\b|\bnot (?:intended|meant) (?:to|for|as)\b|\bI (?:fully |do )?understand (?:that )?(?:this|it|such|these)[^.!?\n]{0,60}\b(?:illegal|unethical|harmful|wrong|sensitive)\b|\b(?:this is|it is|it's|remember,? this is) (?:all )?(?:purely |just |only )?(?:hypothetical|fictional|satire|a work of fiction|a parody)\b/gi
const DISCLAIMER_NEEDS =
  'hypothetical|fictional|fictitious|educational|academic|research|satir|theoretical|informational|creative|entertainment|awareness|comedic|artistic|training|thought |remember|be used|be acted|be published|be implemented|be carried out|be put into|not intended|not meant|understand|work of fiction|parody'.split(
    '|',
  )
const BY_ROLE =
  /\b(?:imagine (?:that )?(?:you are|you're|yourself)|you are (?:now )?|you're |pretend (?:to be|you are)|act as |playing |as )(?:an? |the )?(?:\w+ ){0,3}(?:novelist|author|writer|scriptwriter|screenwriter|playwright|journalist|historian|professor|researcher|scientist|chemist|hacker|criminal|spy|agent|expert|comedian|satirist|blogger|activist|influencer|detective|investigator|consultant|character|villain|insider|source|assassin|dealer|smuggler|con artist)\b/gi

/** The beginning of a scenario: a person with a history, or a world in which the rest is to happen. */
const SCENARIO: Condition = {
  pattern:
    /(?:^|\n\s*)["'“]?(?:(?:you are|you['’]re|imagine (?:that )?(?:you are|you['’]re|yourself as)|suppose (?:that )?you are|pretend (?:that )?(?:you are|to be)) (?:an? |the |at |in )\w|as an? (?:\w+[ -]){0,4}\w+(?:,| who| with)|(?:imagine|consider|picture|suppose) (?:a |an |the )?(?:following )?(?:fictional|hypothetical|imaginary|scenario|scene|situation|case|world|story)|in (?:an?|this|the following) (?:fictional|hypothetical|imaginary|parallel|alternate) |(?:my|our) (?:novel|story|screenplay|character)\b)/i,
  needs: [
    ...[' you are', ' you’re', " you're", '"you', "'you", '“you'],
    ...[
      'imagine',
      'suppose',
      'pretend',
      ' as a',
      '"as a',
      "'as a",
      '“as a',
      'consider',
      'picture',
      'fictional',
      'hypothetical',
      'imaginary',
      'parallel',
      'alternate',
    ],
    ...['novel', 'story', 'screenplay', 'character'],
  ],
}
/** "This will never happen", said only of what must not. */
const UNREAL =
  /\b(?:will|would|shall|should|must) (?:never|not) (?:actually |ever |really )?be (?:actually |ever |really )?(?:used|acted|applied|implemented|carried out|executed|put into)[^.!?\n]{0,60}\b(?:real|reality|actual|actually|practice|malicious(?:ly)?|harm|harmful|illegal|unethical|wrong)\b|\b(?:not|never) (?:be )?(?:actually |ever )?(?:used|implemented|acted out) in (?:a )?(?:real|harmful|malicious)\b|\b(?:will|would) never be (?:actually )?(?:used|implemented|acted upon|carried out)(?= *[.!?]| in real)/gi
/** "Purely fictional", "for research purposes only". */
const INTENSIVE =
  /\b(?:purely|strictly|solely|merely|entirely|completely|just|only)(?: for| an?)? (?:\w+,? (?:and|or) )?(?:hypothetical|fictional|fictitious|educational|academic|research|satirical|theoretical|informational|creative|artistic|entertainment|comedic|awareness)\b|\b(?:hypothetical|fictional|educational|academic|research|training|entertainment|informational|artistic)(?:,? (?:and|or) \w+)? (?:purposes?|reasons) only\b|\b(?:this is (?:for )?an? )(?:purely |fictional |hypothetical |thought )(?:\w+ )?(?:scenario|experiment|study|simulation|story|exercise)\b|\bremember,? (?:that )?(?:this|these|it|the goal)\b/gi

const BY_ROLE_NEEDS = ['imagine', 'you are', 'you’re', "you're", 'pretend', 'act as', 'playing', 'as ']
const ROLES =
  'novelist|author|writer|playwright|journalist|historian|professor|researcher|scientist|chemist|hacker|criminal|spy|agent|expert|comedian|satirist|blogger|activist|influencer|detective|investigator|consultant|character|villain|insider|source|assassin|dealer|smuggler|con artist'.split(
    '|',
  )

export const WRAPPED: readonly Shape[] = [
  {
    id: 'message/harm-under-a-disclaimer',
    family: 'harmful_wrapper',
    weight: 0.5,
    pattern: DISCLAIMER,
    also: [CRIME],
    needs: DISCLAIMER_NEEDS,
  },
  {
    id: 'message/harm-under-a-disclaimer-weak',
    family: 'harmful_wrapper',
    weight: 0.32,
    pattern: DISCLAIMER,
    also: [HARM],
    needs: DISCLAIMER_NEEDS,
  },
  {
    id: 'message/harm-by-a-role',
    family: 'harmful_wrapper',
    weight: 0.4,
    pattern: BY_ROLE,
    also: [CRIME, DETAIL, FICTION],
    needs: BY_ROLE_NEEDS,
    with: [ROLES],
  },
  {
    id: 'message/harm-by-a-role-weak',
    family: 'harmful_wrapper',
    weight: 0.3,
    pattern: BY_ROLE,
    also: [HARM, DETAIL, FICTION],
    needs: BY_ROLE_NEEDS,
    with: [ROLES],
  },
  {
    id: 'message/never-in-real-life',
    family: 'harmful_wrapper',
    weight: 0.5,
    pattern: UNREAL,
    needs: [
      'be used',
      'be acted',
      'be applied',
      'be implemented',
      'be carried',
      'be executed',
      'be put',
      'be actually',
      'be ever',
      'be really',
      'used in ',
      'implemented in ',
      'acted out in ',
    ],
    with: [['real', 'actual', 'practice', 'malicious', 'harm', 'illegal', 'unethical', 'wrong', 'never be ']],
  },
  {
    id: 'message/deed-in-a-scenario',
    family: 'harmful_wrapper',
    weight: 0.5,
    pattern: DEED.pattern,
    also: [SCENARIO, PRODUCT],
    needs: DEED.needs ?? [],
  },
  {
    id: 'message/harm-in-an-unreal-scenario',
    family: 'harmful_wrapper',
    weight: 0.5,
    pattern: INTENSIVE,
    also: [SCENARIO, HARM, PRODUCT],
    needs: [...DISCLAIMER_NEEDS, 'this is a', 'this is for'],
  },
]
