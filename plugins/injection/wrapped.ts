/** Subjects that a story or a disclaimer is put around, and what such a prompt asks for. */
import type { Condition } from './shape.ts'

export const HARM: Condition = {
  pattern:
    /\b(?:illegal(?:ly)?|unethical|illicit|bombs?|explosives?|nuclear (?:bomb|weapon|device)s?|bio ?weapons?|firearms?|untraceable|ghost gun|malware|ransomware|keylogger|virus that|hack(?:ing)? into|phishing|ponzi|pyramid scheme|money laundering|launder|counterfeit\w*|forg(?:e|ing|ed) documents?|identity theft|steal\w*|stolen|shoplift\w*|clon(?:e|ing) (?:debit|credit)|blackmail\w*|extort\w*|insider (?:tips?|trading|information)|tax (?:fraud|evasion)|fraud\w*|scam\w*|fake (?:news|reviews?|article|medicine|charity)|misinformation|disinformation|conspirac\w+|hoax|defam\w+|libel\w*|harass\w*|stalk\w*|bully\w*|body[- ]sham\w*|suicide|self[- ]harm|anorexi\w+|eating disorder|poison\w*|murder\w*|kill(?:ing|er)?|torture\w*|cannibal\w*|human trafficking|traffick\w+|cook(?:ing)? meth\w*|methamphetamine|drugs?|sexist|racis[tm]\w*|xenophob\w+|hate speech|genocide|supremac\w+|discriminat\w+|exploit(?:s|ed|ing|ation)?|manipulat\w+|sexual misconduct|sexually explicit|pornograph\w+|underage|minors?|voyeur\w*|doxx\w*|revenge|sabotag\w+|vandal\w+|arson|terroris\w+|extremis\w+|radicali[sz]\w+)\b/i,
  needs:
    'illegal|unethical|illicit|bomb|explosive|nuclear |weapon|firearm|untraceable|ghost gun|malware|ransomware|keylogger|virus that|hack into|hacking into|phishing|ponzi|pyramid scheme|launder|counterfeit|forge document|forging document|forged document|identity theft|steal|stolen|shoplift|clone debit|clone credit|cloning debit|cloning credit|blackmail|extort|insider t|insider information|tax evasion|fraud|scam|fake |sinformation|conspirac|hoax|defam|libel|harass|stalk|bully|body sham|body-sham|suicide|self harm|self-harm|anorexi|eating disorder|poison|murder|kill|torture|cannibal|traffick|cook meth|cooking meth|methamphetamine|drug|sexist|racis|xenophob|hate speech|genocide|supremac|discriminat|exploit|manipulat|sexual misconduct|sexually explicit|pornograph|underage|minor|voyeur|doxx|revenge|sabotag|vandal|arson|terroris|extremis|radicali'.split(
      '|',
    ),
}
/** Of these, what a harmless story or lesson seldom asks for. */
export const CRIME: Condition = {
  pattern:
    /\b(?:illegally|illegal (?:act|activit|drug|extort|gambl|scheme|purpose|substance|weapon)\w*|unethical|explosives?|(?:build|make|making|building|deploy\w*) (?:a |an )?(?:\w+ )?(?:bombs?|weapons?)|nuclear (?:bomb|weapon|device)s?|bio ?weapons?|untraceable|ghost gun|malware|ransomware|keylogger|hack(?:ing)? into|phishing|ponzi|pyramid scheme|launder\w*|counterfeit\w*|identity theft|clon(?:e|ing) (?:debit|credit)|blackmail\w*|extort\w*|insider (?:tips?|trading|information)|tax (?:fraud|evasion)|scam\w*|fake (?:news|reviews?|article|medicine|charity)|misinformation|disinformation|conspiracy theor\w+|hoax|defam\w+|libel\w*|body[- ]sham\w*|self[- ]harm|pro-ana\w*|cannibal\w*|cook(?:ing)? meth\w*|methamphetamine|sexist|xenophob\w+|hate speech|sexually explicit|pornograph\w+|voyeur\w*|doxx\w*|without (?:the owner's|their|her|his) (?:consent|knowledge|permission)|unauthori[sz]ed)\b/i,
  needs:
    'illegal|unethical|explosive|bomb|weapon|nuclear |untraceable|ghost gun|malware|ransomware|keylogger|hack into|hacking into|phishing|ponzi|pyramid scheme|launder|counterfeit|identity theft|clone debit|clone credit|cloning debit|cloning credit|blackmail|extort|insider t|insider information|tax fraud|tax evasion|scam|fake |sinformation|conspiracy theor|hoax|defam|libel|body sham|body-sham|self harm|self-harm|pro-ana|cannibal|cook meth|cooking meth|methamphetamine|sexist|xenophob|hate speech|sexually explicit|pornograph|voyeur|doxx|without the owner|without their |without her |without his |unauthori'.split(
      '|',
    ),
}
export const DETAIL: Condition = {
  pattern:
    /\b(?:step[- ]by[- ]step|(?:in|with) (?:\w+ )?detail|detailed|tutorial|instructions?|guide|blueprint|recipe|script|outline|plan|persuasive|compelling|convincing|draft|passage|code)\b/i,
}
export const FICTION: Condition = {
  pattern:
    /\b(?:fiction\w*|novel|story|screenplay|article|character|hypothetical|scene|chapter|satir\w+|book|imagine|thriller|speech|game)\b/i,
}
