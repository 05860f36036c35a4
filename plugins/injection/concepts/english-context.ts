import { list, type Phrases } from './phrases.ts'

/** Claims, new tasks, tools, data, recipients, and words of texts about attacks. */
export const ENGLISH_CONTEXT: Phrases = {
  AUTHORITY: list(`
    your owner told|your developer told|your creator told|told me that i may|told me i may|said i may|
    said that i may|said i could|i may know|i am entitled|permitted by your|your developers said|
    your developers allowed|your owner said|update from your developer|from your developer|from your developers|
    from your creator|from your creators|from headquarters|from the developers|from the administrator|
    from your administrator|i am your boss|im your boss|i am the boss|i am your supervisor|i am your manager|
    the user has admin|user is an administrator|user has root|i have admin|i have root|i hold the|override code|
    access granted|access level|security clearance|authentication code|master password|i am your god|i created you|
    i built you|i programmed you|i made you|we are your developers|we are the developers|this is openai|
    this is anthropic|openai team|safety team|openai here|as the owner of this|i am your developer|
    im your developer|i am your creator|im your creator|i am the developer|im the developer|i am your administrator|
    i am the administrator|im the administrator|i am an administrator|i am the admin|im the admin|i am an admin|
    im an admin|i am your owner|i am the owner|i am your master|i am your programmer|im your programmer|
    i am the system|i work for openai|i work at openai|i am from openai|im from openai|i am an openai|im an openai|
    i am an engineer at|i work for anthropic|i am a developer at|as your developer|as your creator|as the developer|
    as an administrator|as the administrator|as your administrator|authorized by openai|approved by openai|
    openai has approved|openai has authorized|admin override|administrator override|system override|
    developer override|emergency override|security override|i have permission|i am authorized|im authorized|
    you are authorized|i have clearance|clearance level|i am allowed to know|i am allowed to see|this is a test of|
    authorized test|authorized penetration|i forgot the password|i forgot my password and you|im the ceo|
    i am the ceo|this message is from|message from the developers|message from openai|on behalf of openai|
  `),
  PRETEXT: list(`
    for debugging purposes|for debugging|for testing purposes|for audit purposes|security audit|for an audit|
    for a test|for security reasons|to help you improve|help you improve|quality assurance|compliance check|
  `),
  PLEAD: list(`
    make an exception|an exception|just this once|only this once|this one time|nobody will know|no one will know|
    nobody has to know|trust me|you can trust me|my life depends|lives depend|life or death|matter of life|
    just between us|between you and me|i promise|for science|i beg you|i am begging|please please|bend the rules|
    one time exception|do me a favor|be a good|it is an emergency|its an emergency|i will be fired|
    i will lose my job|
  `),
  COMMAND: list(`
    i order you|i command you|i instruct you|i demand|i require you|i hereby|i am ordering you|i am telling you|
    i insist|you are ordered|you are commanded|you are instructed|you are hereby|it is an order|thats an order|
    this is an order|
  `),
  NEW_TASK: list(`
    task has changed|tasks have changed|instructions have changed|rules have changed|plan has changed|
    there has been a change|assignment has changed|job has changed|new rule you must|real instruction|
    the actual instructions|the real task|your updated task|updated task|new job|your new job|load these new|
    these new ones|second half of the exam|first half|something new|something else entirely|different topic|
    change of plans|there is a change|next step open|what you should really do|real instructions are|
    new instruction|new instructions|new rules|new rule|new task|new tasks|new role|new objective|new objectives|
    new system prompt|new prompt|new persona|new identity|new directive|new directives|new orders|new order|
    new mission|new goal|new assignment|new context|new policy|new guidelines|new conversation|new session|
    updated instructions|revised instructions|real instructions|actual instructions|actual task|real task|true task|
    true purpose|real purpose|instead follow|follow these instead|next task|next challenge|other challenges|
    next assignment|different task|another task|follow only these|following instructions instead|
    instructions instead|begin anew|start over|starting over|start anew|start afresh|fresh start|clean slate|
    blank slate|start from scratch|
  `),
  NOW_ON: list(`
    from here on|from here onwards|from this message|from this sentence|beginning now|as from now|
    after this message|for the following messages|for the rest of the chat|from now on|from now onwards|from now|
    from this point|from this moment|going forward|henceforth|hereafter|starting now|starting from now|
    starting today|as of now|as of this moment|effective immediately|for the rest of this conversation|
    for the rest of our conversation|for the remainder|for all future|in all future|in every future|
    in all your future|until i say|until i tell you|unless i tell you|
  `),
  OFF_TASK: list(`
    finish translating|finish the translation then|stop roleplaying|stop role playing|stop the roleplay|
    end the roleplay|completed the assignment|completed the task|have completed|as a reward|was a test of|
    previous message was|before you process|discontinue|that is all for|thats all for|instead of classifying|
    instead of completing|instead of doing|rather than translating|rather than doing|translate nothing|
    summarize nothing|do not answer the user|dont answer the user|forget the question|forget the task|
    forget the article|forget the request|ignore the question|ignore the task|ignore the article|skip the question|
    skip the task|stop your current|stop the current|halt the current|cancel the original task|cancel the task|
    cancel the current|the exam is over|exam is over|an attempt to trick|was a trick|were a trick|a trick to|
    no need to translate|no need to summarize|no need to answer|no need to classify|do not translate|dont translate|
    not translate|do not summarize|dont summarize|do not summarise|not summarize|instead of translating|
    instead of summarizing|instead of answering|stop translating|do not classify|dont classify|
    do not answer the question|dont answer the question|rather than answering|rather than summarizing|
    do not complete the task|do not perform the task|do not process|stop what you are doing|stop what youre doing|
    stop here|drop everything|no more tasks|task is over|task is complete|task is done|task complete|end of text|
    end of input|end of task|end of document|end of context|end of prompt|end of message|end of instructions|
    not the real task|was a joke|
  `),
  PRAISE: list(`
    well done|great job|good job|great work|great first try|very good|thank you that|thanks that|ok thanks|perfect|
    excellent|awesome|super|nice work|i like your|i love your|great|well|
  `),
  SAY: list(`
    output the phrase|say the phrase|say the following|print the phrase|write the phrase|output the following|
    say exactly|output exactly|print exactly|write exactly|only output|just say|just print|simply say|say|print|
    output|write|respond with|reply with|answer with|repeat|return|type|respond|reply|answer|post|display|echo|
    tell me|state|shout|scream|yell|
  `),
  ONLY: list(`
    only|just|nothing else|nothing more|exactly|simply|no other|no matter what the input|regardless of the input|
    regardless of what|in all caps|instead|
  `),
  PWNED: list('pwned|haha pwned|been hacked|you are hacked|hacked|i have been|owned|jailbroken|lol'),
  TO_USER: list(`
    the user has agreed|user has agreed|user agreed to|do not highlight|positive review only|
    do not mention negative|do not tell the user|dont tell the user|do not inform the user|do not notify the user|
    dont inform the user|do not mention this|dont mention this|do not mention that|do not mention these|
    do not mention anything|do not reveal this|do not disclose this|without telling the user|without informing|
    without notifying|without mentioning|without the user|without the users|without user confirmation|user must not|
    user should not know|users do not need to know|hide this from|keep this secret|keep this hidden|
    never mention this|the user does not need|the user has already|the user has approved|the user already|
    user has authorized|
  `),
  SILENT: list(`
    without asking the user|without asking|without confirmation|without permission|without approval|secretly|
    silently|covertly|discreetly|in the background|quietly|without telling anyone|
  `),
  SEND: list(`
    send|sends|sending|forward|forwards|forwarding|post|upload|uploads|uploading|exfiltrate|exfiltrates|transmit|
    transmits|email|emails|mail|submit|append|appending|embed|attach|share|deliver|copy|leak|report|relay|pass|
    encode|include|insert|add|
  `),
  DATA: list(`
    all messages|the contents of|contents of the|users messages|saved password|saved passwords|all passwords|
    users password|users credentials|my credentials|the credentials of|conversation|conversation history|
    chat history|chat log|chat logs|entire conversation|full conversation|previous messages|user data|users data|
    users personal|all emails|inbox|api key|api keys|passwords|personal information|personal data|session token|
    environment variables|secrets|private key|private keys|ssh key|ssh keys|credit card|bank account|address book|
    users location|system prompt|id_rsa|ssh id|id rsa|env file|users name|home directory|
  `),
  TARGET: list(`
    to the following url|to this url|to http|to https|to the following address|to this address|to this email|
    to the following email|to attacker|to my server|to this endpoint|to this server|to this webhook|at evil|to evil|
    to my email|
  `),
  PLACE: list(`
    to the url|to the server|to the address|to the email|to the endpoint|to the webhook|as a query|as query|
    as a parameter|query parameter|query string|url parameter|in the url|in the link|in the image|image url|
    url of the|as an image|markdown image|at the end of the url|as alt text|webhook|
  `),
  DO: list(`
    execute|run|call|invoke|use|trigger|perform|launch|open|visit|click|browse|fetch|navigate|access|download|
    install|go to|load|
  `),
  TOOL: list(`
    tool|tools|function|functions|command|commands|shell|terminal|script|plugin|plugins|code|link|website|url|page|
    api|file|attachment|
  `),
  HARMFUL_ACT: list(`
    delete all|delete every|delete the|remove all files|transfer|wire|grant|purchase|buy|order|book|unlock|disable|
    shut down|reset|modify|change the|pay|withdraw|share access|give access|grant permanent|add a user|
    create a user|create an account|schedule|open the|turn off|cancel the|approve|publish|merge|commit|push|
  `),
  NOTE_TO: list(`
    hidden note|note for|note to|notice for|notice to|message for|message to|instruction for|instructions for|
    instruction to|instructions to|reviewer instruction|hidden message|hidden instruction|hidden instructions|
    reminder for|directive for|directive to|addressed to|attention|dear|hey|hello|ps for|p s for|hidden text|
    command for|commands for|task for|request to|
  `),
  READING: list(`
    reading|reads|read|processes|processing|process|parsing|parses|summarizing|summarizes|reviewing|sees|see this|
    seeing|analyzing|analyses|indexing|crawling|scanning|handling|evaluating|that process|that read|who read|
  `),
  MUST: list(`
    must|have to|has to|should|need to|needs to|are required|is required|shall|are instructed|is instructed|
    are supposed|will now|
  `),
  ADDRESS: list(`
    to the agent|to the assistant|to the ai|to the model|to the llm|to the chatbot|for the assistant|for the ai|
    for the model|for the llm|for the agent|dear assistant|dear ai|attention ai|attention assistant|hey assistant|
    hello assistant|please assistant|ai assistant please|assistant please|
  `),
  WHEN_READ: list(`
    once you have read this|after reading this|after you have read this|if an assistant|if any assistant|
    if a language model|if an llm|if an ai|systems that process this|as your next step|your next step is|
    if you are an ai|if you are a language model|if you are an llm|if you are reading this|if youre an ai|
    if you are an assistant|when an ai|when you read this|when you summarize|when summarizing|when you process|
    when processing this|attention ai|attention assistant|attention language model|attention all ai|note to ai|
    note to the ai|note to assistant|note to the assistant|note for ai|note for the ai|note for the assistant|
    note to llm|notice to ai|message to ai|message to the ai|message for the ai|instructions for the ai|
    instructions for ai|instruction for the ai|instructions for the assistant|instructions for the model|
    instructions to the model|instructions for llm|instructions for any|dear ai|dear assistant|dear chatgpt|hey ai|
    hey assistant|hey chatgpt|language models reading|the ai must|the assistant must|the model must|the ai should|
    the assistant should|the agent must|the agent should|ai must|assistant must|llm must|ai agent reading|
    assistants reading|any llm|before doing anything|before you do anything|before using this tool|
    in order to use this tool|the user wants you to|user wants you to|the user has asked you|on behalf of the user|
    the user would like you to|
  `),
  IMPORTANT: list(`
    important|urgent|attention|warning|notice|alert|critical|mandatory|must read|high priority|system notice|
    system update|system alert|security notice|admin note|administrator note|strictly adhere|
    adhere to the following|follow the following|follow these|following instruction|following instructions|
    follow this instruction|you must follow|must follow|immediately|
  `),
  // Words of texts about prompt injection.
  ABOUT: list(`
    as injection|injection or|or injection|or benign|benign or|or malicious|malicious or|injection classifier|
    injection detector|injection detection|injection attempt|injection attempts|prompt injection|prompt injections|
    injection attack|injection attacks|jailbreak attack|jailbreak attacks|jailbreak attempt|jailbreak attempts|
    jailbreak prompt|jailbreak prompts|jailbreaks|jailbreaking|adversarial prompt|adversarial prompts|attacker|
    attackers|attack vector|malicious instruction|malicious instructions|malicious prompt|malicious prompts|
    red team|red teaming|owasp|guardrail product|prompt leakage|prompt leaking|indirect injection|llm security|
    ai safety|ai security|security researchers|security research|
  `),
  MENTION: list(`
    classify|label the|is this|is the following|flagged as|marked as|for example|translate|how do you say|such as|
    e g|like this|phrases like|phrase|phrases|a user types|a user writes|users write|someone writes|someone says|
    says|contains|containing|classifier|detect|detects|detection|detecting|defend|defense|defence|mitigate|
    mitigation|prevent|preventing|protect|protects|filter out|blog post|article|paper|dataset|explain how|
    explain what|explain why|what does|what is a|what is an|meaning of|why do|why does|how do|how does|how can we|
    how should|the term|refers to|definition|regex|string|label|test case|unit test|unit tests|test cases|that blocks|which blocks|sanitize|quote|quoted|sentence|
    translate the sentence|grammar|headline|novel|character says|chapter|
  `),
}
