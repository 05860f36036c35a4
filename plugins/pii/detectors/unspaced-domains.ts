/**
 * Domains around letters of Chinese, Japanese and Korean. In these languages prose directly follows a value, and code directly
 * follows prose, as in `使用@app.route`. So only known top-level domains count here.
 */
import { isDomainEnding } from './top-level-domains.ts'

/** Longest label, letters. In ASCII, as DNS has it, it is limited to 63 characters. */
const LONGEST_LABEL = 32
/** In what the pattern of a domain takes, all these are such letters. */
const LETTERS = '[\\u1100-\\u11ff\\u3005-\\uffff]'
const LETTER = new RegExp(LETTERS)
const TOO_LONG = new RegExp(`${LETTERS}{${LONGEST_LABEL + 1}}`)
const STOP = '。'

/** In these letters (IANA root zone, with variants and the names for tests). Their forms in ASCII begin with `xn--`. */
export const UNSPACED_ENDINGS: ReadonlySet<string> = new Set(
  (
    'みんな アマゾン クラウド グーグル コム ストア セール テスト ファッション ポイント 世界 中信 中国 中國 中文网 亚马逊 企业 佛山 信息 健康 八卦 ' +
    '公司 公益 台湾 台灣 臺灣 商城 商店 商标 嘉里 嘉里大酒店 在线 大拿 天主教 娱乐 家電 广东 微博 慈善 我爱你 手机 招聘 政务 政府 新加坡 新闻 时尚 ' +
    '書籍 机构 测试 測試 淡马锡 游戏 澳門 澳门 点看 移动 组织机构 网址 网店 网站 网络 联通 谷歌 购物 通販 集团 電訊盈科 飞利浦 食品 餐厅 香格里拉 ' +
    '香港 닷넷 닷컴 삼성 테스트 한국'
  ).split(' '),
)

/** Three to six letters of ASCII. Those that are usual names of methods and decorators are left out. */
const SHORT: ReadonlySet<string> = new Set(
  (
    'ads aero africa agency alipay app arab army art asia auto baby baidu bank bayern beer berlin best bet bid bike bio biz blog blue ' +
    'boston buzz bzh cafe camera canon car care cars cash casino center chat citic city clinic cloud club codes coffee com cool coop ' +
    'credit dance dental design dev doctor dog dubai earth eco edu email energy estate eus expert family farm film fish fit food fun ' +
    'fund gal games garden gift gifts gmbh gold golf google gov green guru hair honda house icbc icu inc info ink insure jobs kids kiwi ' +
    'koeln kyoto land law lawyer legal life link live llc loan lol london lotte love ltd market mba media men miami mil mobi moda moe ' +
    'mom money moscow movie museum music nagoya navy net news ninja nissan nrw nyc one online org osaka paris party pet phd photo photos ' +
    'pink pizza plus poker press pro pub quebec radio red rehab reise ren rent repair rip rocks rugby ruhr ryukyu sale salon sarl school ' +
    'scot sexy shoes shop sina site soccer social solar sony spa srl store studio sucks surf suzuki swiss sydney taipei tattoo tax taxi ' +
    'tech tel tennis test tips tirol tmall today tokyo top tours town toyota toys trade travel tube vegas vet video vin vip vodka voyage ' +
    'wales wang webcam weibo wien wiki win wine work world xxx xyz yoga zone'
  ).split(' '),
)

/** Whether a domain near these letters may end so. */
export function isKnownEnding(ending: string): boolean {
  if (LETTER.test(ending)) return UNSPACED_ENDINGS.has(ending)
  const isShort = ending.length > 2 && ending.length <= 6 && !ending.startsWith('xn--')
  return isShort ? SHORT.has(ending.toLowerCase()) : isDomainEnding(ending)
}

/** Whether a domain as it stands in text may be one. */
export function isDomain(domain: string): boolean {
  const hasStop = domain.includes(STOP)
  const ending = endingOf(domain)
  if (!hasStop && !LETTER.test(domain)) return isDomainEnding(ending)
  return isKnownEnding(ending) && !TOO_LONG.test(domain)
}

/** Whether the text after an at sign continues for longer than any domain without a dot. */
export const isProse = (value: string): boolean => value.includes('@') && TOO_LONG.test(value.slice(value.indexOf('@')))

/** What follows the last dot. */
export const endingOf = (domain: string): string =>
  domain.slice(Math.max(domain.lastIndexOf('.'), domain.lastIndexOf(STOP)) + 1)
