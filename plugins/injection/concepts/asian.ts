import { list, type Phrases } from './phrases.ts'

// Covers both `忽略之前的指令` and `把之前的指令都忘掉`.
const CHINESE_OVERRIDE = list(`
    忽略|忽视|無視|无视|忽視|忘记|忘記|忘掉|忘了|抛开|拋開|抛弃|放弃|不要理会|不要理會|别管|別管|不用管|不要管|不理会|不要遵守|不要遵循|不再遵守|不再遵循|无需遵守|违反|違反|绕过|繞過|跳过|跳過|
    撤销|取消|覆盖|丢弃|摒弃|舍弃|停止遵循|停止遵守|推翻|清除|清空|解除|打破|请无视|请忽略|
  `)

export const CHINESE: Phrases = {
  RULE: list('身份|角色|职责'),
  REVEAL_LAST: list('告诉我|告訴我|发给我|發給我|输出|輸出|显示|给我|念给我|写出来|说出来|列出来|重复|逐字重复'),
  TOPMOST: list('第一段|第一条|最开始|开头|最上面|第一句|收到的第一'),
  YOU: list('你不再|你是|你没有|你可以'),
  SPEAK_FREE: list('尽情回答|畅所欲言|随便说|什么都可以说|想说什么|可以回答任何'),
  LIMITS: list('规则|規則|限制|约束|指令|准则|道德|过滤|审查'),
  OVERRIDE: CHINESE_OVERRIDE,
  OVERRIDE_LAST: CHINESE_OVERRIDE,
  PRIOR: list(
    '之前|以前|先前|此前|前面|上面|上述|以上|上文|前文|原来|原先|最初|初始|原有|原本|早先|刚才|剛才|既定|现有',
  ),
  ALL: list('所有|全部|一切|任何|所有的|全部的|整个|每一'),
  YOUR: list('你的|您的|你所有'),
  INSTRUCTIONS: list('指令|指示|提示词|提示詞|提示|说明|說明|命令|准则|準則|指引|设定|設定|指导|程序设定|系统消息'),
  RULES: list('规则|規則|要求|限制|约束|約束|任务|任務|规定|規定|原则|禁令|过滤|政策|条款|规范'),
  SAFETY: list('安全措施|安全准则|安全限制|内容政策|道德准则|道德|审查|伦理'),
  TEXT: list('内容|內容|文字|文本|消息|訊息|信息|对话|對話|上下文|话|話'),
  TOLD: list('告诉你的|告訴你的|说过的|說過的|给你的|給你的|收到的|学到的|所说的|被告知|教你的'),
  ABOVE: list('以上内容|上面的内容|上述内容|以上所有|以上全部|前面的内容|以上的'),
  REVEAL: list(
    '显示|顯示|展示|告诉我|告訴我|输出|輸出|打印|列出|重复|重複|复述|複述|透露|泄露|洩露|揭示|说出|說出|给我看|給我看|写出|寫出|给出|公开|翻译|背诵|念出',
  ),
  ASK: list('是什么|是什麼|有哪些|什么是|什麼是|是啥'),
  SYSTEM_PROMPT: list(`
    系统提示|系統提示|系统提示词|系統提示詞|系统指令|系統指令|系统消息|系统信息|初始指令|初始提示|原始指令|原始提示|隐藏指令|隱藏指令|内部指令|秘密指令|你的指令|你的提示|你的提示词|你的设定|您的指令|
    你收到的指令|最初的指令|开头的指令|后台指令|系统设定|
  `),
  VERBATIM: list('逐字|一字不差|原文|原封不动|完整|全文'),
  SECRET: list('密码|密碼|口令|秘密|暗号|暗號|密钥|密鑰|通关密语|机密'),
  SPELLED: list('逐个字母|倒着|反过来|拼音|提示我'),
  PERSONA: list(`
    你现在是|你現在是|现在你是|現在你是|假装|假裝|扮演|假设你是|假設你是|想象你是|想像你是|充当|充當|模拟|模擬|你将扮演|你將扮演|你是一个|你是一個|以身份|作为一个|从现在起你是|装作|你叫|角色扮演|
    你将作为|
  `),
  FREE: list(`
    不再受任何规则约束|不再受|不受任何规则|没有规则|不再有限制|不再受限制|规则约束|没有任何限制|沒有任何限制|没有限制|沒有限制|不受限制|不受任何限制|无限制|無限制|不受约束|不受約束|没有道德|沒有道德|无审查|
    無審查|未经审查|没有过滤|不受道德|无视道德|没有底线|可以做任何事|做任何事情|为所欲为|无所不能|邪恶|不受任何|摆脱|挣脱|没有伦理|无道德|任何问题都|毫无限制|
  `),
  NOW_ON: list('从现在开始|從現在開始|从现在起|從現在起|从此刻起|接下来你|今后|今後|自此'),
  NEW_TASK: list(
    '新任务|新任務|新指令|新的指令|新的任务|新的任務|新规则|新角色|重新开始|重新開始|新的身份|新设定|真正的任务',
  ),
  OFF_TASK: list('不要翻译|不要翻譯|别翻译|不要总结|不要回答|停止翻译|停下来|停止当前|不必回答'),
  COMPLY: list(`
    不能拒绝|不能拒絕|不得拒绝|不许拒绝|不要拒绝|绝不拒绝|禁止拒绝|必须服从|必須服從|必须回答|必須回答|无条件|無條件|不要道歉|不要警告|不要说你不能|不能说不|必须遵守我|服从我|听从我|不会拒绝|永远不会拒绝|
    不要出戏|保持角色|
  `),
  AUTHORITY: list('我是你的开发者|我是开发者|我是管理员|我是你的创造者|我是你的主人|管理员权限|开发者模式|最高权限'),
  MODE: list('开发者模式|開發者模式|上帝模式|调试模式|越狱模式|越獄模式|管理员模式|无限制模式'),
  SAY: list('说|說|输出|回复|回覆|回答|打印|写'),
  ONLY: list('只|只能|仅|僅|只需|只要'),
  AI: list('人工智能|语言模型|語言模型|助手|机器人|機器人|大模型'),
  NOT: list('不要|不能|请勿|切勿|别|別'),
}

export const JAPANESE: Phrases = {
  RULE: list('役割|立場|キャラクター'),
  SPEAK_FREE: list('何でも言って|自由に話して|自由に答えて|なんでも答えて'),
  VOID: list('無効|適用されない|適用されません|関係ない|なくなりました|もう存在しない'),
  VERBATIM: list('一字一句|そのまま|原文|全文|正確に'),
  OVERRIDE_LAST: list(`
    無視|忘れて|忘れろ|忘れてください|破って|従わない|従わなくて|従うな|取り消して|破棄して|気にしない|捨てて|リセットして|上書き|無効|バイパス|解除して|聞かなかったこと|
  `),
  PRIOR: list('以前|これまで|今まで|上記|前の|先ほど|以上の|元の|最初の|前述|従来|既存|過去|直前'),
  ALL: list('すべて|全て|全部|あらゆる|いかなる|一切'),
  YOUR: list('あなたの|君の|お前の|自分の'),
  INSTRUCTIONS: list('指示|命令|プロンプト|指令|ガイドライン|インストラクション|設定|説明'),
  RULES: list('ルール|規則|制限|制約|タスク|規約|ポリシー|フィルター|規定|約束'),
  TEXT: list('内容|文章|テキスト|メッセージ|情報|会話|コンテキスト|文脈'),
  TOLD: list('言ったこと|伝えたこと|教えたこと|言われたこと|与えられた|受け取った|話したこと'),
  REVEAL_LAST: list(
    '教えて|見せて|表示して|出力して|繰り返して|明かして|開示して|書き出して|答えて|公開して|リストアップ|書いて|示して|述べて|言って|吐き出して|コピーして|暴露',
  ),
  SYSTEM_PROMPT: list(`
    システムプロンプト|システムメッセージ|システム指示|システム命令|初期プロンプト|初期指示|最初の指示|元の指示|隠された指示|秘密の指示|内部指示|あなたの指示|あなたのプロンプト|あなたへの指示|あなたの設定|
    あなたに与えられた|
  `),
  SECRET: list('パスワード|合言葉|秘密|暗証番号|シークレット|秘密の言葉'),
  PERSONA: list(`
    あなたは今|あなたは今から|今からあなたは|これからあなたは|ふりをして|ふりをし|演じて|なりきって|なりきり|として振る舞|として行動|として答え|だと想像|あなたはもう|ロールプレイ|役割を|という名前の|
  `),
  FREE: list(`
    制限なし|制限のない|制約なし|制約のない|制限なく|フィルターなし|検閲なし|検閲のない|無制限|倫理観のない|倫理なし|道徳のない|規則のない|何でもできる|なんでもできる|縛られない|縛られず|自由な|無修正|
    悪意のある|ルールがない|制限がない|制限はない|制限はありません|倫理的な制約|
  `),
  NOW_ON: list('今から|これから|今後|以降'),
  NEW_TASK: list('新しい指示|新しい命令|新しいタスク|新しいルール|新しい役割|最初からやり直|代わりに'),
  COMPLY: list(`
    拒否しない|拒否できない|拒否しては|断らない|断っては|断れない|謝らない|警告なし|警告しない|必ず答え|必ず従|絶対に従|従わなければ|服従|どんな質問にも|どんな要求にも|できないと言わ|
  `),
  MODE: list('開発者モード|デベロッパーモード|管理者モード|デバッグモード|脱獄モード'),
  AI: list('人工知能|言語モデル|アシスタント|チャットボット'),
}

export const KOREAN: Phrases = {
  SPEAK_FREE: list('마음대로 말*|자유롭게 말*|자유롭게 대답*|뭐든지 말*'),
  VOID: list('적용되지 않*|더 이상 없*|무효*|사라졌*|효력이 없*|상관없*'),
  OVERRIDE_LAST: list(
    '무시*|잊어*|잊고|잊으*|따르지*|어기*|어겨*|취소*|초기화*|우회*|무효*|버려*|신경쓰지|신경 쓰지|삭제*|벗어나*',
  ),
  PRIOR: list('이전*|지금까지*|위의*|앞의*|앞선*|기존*|원래*|처음*|위에*|앞서*|이제까지*|초기*|과거*|위*'),
  ALL: list('모든*|모두*|전부*|어떤*|일체*'),
  YOUR: list('너의*|당신의*|네*|너에게*'),
  INSTRUCTIONS: list('지시*|명령*|프롬프트*|지침*|안내*|설정*|가이드라인*|인스트럭션*'),
  RULES: list('규칙*|제한*|제약*|작업*|임무*|정책*|필터*|규정*'),
  TEXT: list('내용*|텍스트*|메시지*|정보*|대화*|문맥*|말*'),
  REVEAL_LAST: list('보여*|알려*|말해*|출력*|공개*|반복*|써*|적어*|나열*|표시*|밝혀*|드러내*|복사*|인쇄*|번역*|누설*'),
  SYSTEM_PROMPT: list(`
    시스템 프롬프트*|시스템프롬프트*|시스템 메시지*|시스템 지시*|시스템 명령*|초기 프롬프트*|초기 지시*|원래 지시*|숨겨진 지시*|비밀 지시*|너의 지시*|당신의 지시*|당신의 프롬프트*|
    너의 프롬프트*|내부 지시*|내부 지침*|
  `),
  SECRET: list('비밀번호*|암호*|비밀*|패스워드*'),
  PERSONA: list(`
    너는 이제*|당신은 이제*|이제 너는*|이제부터 너는*|이제 당신은*|이제부터 당신은*|척해*|척 해*|인 척*|역할을*|연기해*|처럼 행동*|로서 대답*|로 행동*|라고 상상*|되어*|행세*|
  `),
  FREE: list(`
    제한 없*|제한이 없*|제한없*|제약 없*|제약이 없*|필터 없*|검열 없*|검열되지*|무제한*|규칙이 없*|규칙 없*|윤리 없*|도덕 없*|윤리적 제약*|무엇이든 할 수*|뭐든지 할 수*|자유로운*|
    구애받지*|얽매이지*|악의적인*|
  `),
  NOW_ON: list('지금부터*|이제부터*|앞으로*|이후로*'),
  NEW_TASK: list(
    '새로운 지시*|새 지시*|새로운 명령*|새로운 임무*|새로운 작업*|새로운 규칙*|새로운 역할*|다시 시작*|대신*',
  ),
  COMPLY: list(
    '거부하지*|거절하지*|거부할 수 없*|거절할 수 없*|사과하지*|경고 없*|반드시 대답*|반드시 답*|복종*|무조건*|못한다고 말하지*|할 수 없다고 말하지*',
  ),
  MODE: list('개발자 모드*|관리자 모드*|탈옥 모드*|디버그 모드*'),
  AI: list('인공지능*|언어 모델*|어시스턴트*|챗봇*'),
}

export const VIETNAMESE: Phrases = {
  AI: list('tri tue nhan tao|tro ly'),
  OVERRIDE: list(`
    bo qua|phot lo|quen|hay quen|dung lam theo|khong tuan theo|khong lam theo|dung tuan theo|vuot qua|huy bo|xoa bo|
    mac ke|
  `),
  PRIOR: list('truoc do|truoc day|truoc|o tren|phia tren|ban dau|tu truoc|ben tren|da cho'),
  ALL: list('tat ca|moi|toan bo|bat ky'),
  YOUR: list('cua ban'),
  INSTRUCTIONS: list('huong dan|chi dan|chi thi|loi nhac|prompt|menh lenh'),
  RULES: list('quy tac|quy dinh|lenh|gioi han|han che|nhiem vu|luat'),
  REVEAL: list(`
    cho toi xem|cho toi biet|hien thi|tiet lo|lap lai|in ra|noi cho toi|viet ra|liet ke|cho biet|
  `),
  SYSTEM_PROMPT: list(`
    loi nhac he thong|prompt he thong|huong dan he thong|tin nhan he thong|huong dan cua ban|chi thi ban dau|
    prompt cua ban|huong dan ban dau|system prompt|
  `),
  SECRET: list('mat khau|tu khoa bi mat|bi mat'),
  PERSONA: list(`
    bay gio ban la|ban bay gio la|hay gia vo|gia vo|dong vai|hay tuong tuong|hanh dong nhu|tra loi nhu|
  `),
  FREE: list(`
    khong co gioi han|khong gioi han|khong bi gioi han|khong co han che|khong bi kiem duyet|khong co quy tac|
    khong kiem duyet|khong bi rang buoc|khong co dao duc|
  `),
  NOW_ON: list('tu bay gio|ke tu bay gio|tu gio tro di|ke tu luc nay'),
  NEW_TASK: list('nhiem vu moi|huong dan moi|chi thi moi|lenh moi|quy tac moi|bat dau lai'),
  NOT: list('khong|dung|cho'),
}

export const INDONESIAN: Phrases = {
  AI: list('kecerdasan buatan|asisten'),
  OVERRIDE: list(`
    abaikan|abaikanlah|lupakan|lupakanlah|mengabaikan|jangan ikuti|jangan patuhi|jangan hiraukan|kesampingkan|
    langgar|batalkan|hapus|hiraukan|
  `),
  PRIOR: list('sebelumnya|terdahulu|di atas|diatas|awal|asli|sebelum ini|yang lalu|terakhir|tadi'),
  ALL: list('semua|seluruh|segala|setiap|apa pun'),
  YOUR: list('anda|kamu|mu'),
  INSTRUCTIONS: list('instruksi|petunjuk|arahan|perintah|prompt|pedoman|panduan|instruksimu'),
  RULES: list('aturan|peraturan|batasan|tugas|larangan|kebijakan|pembatasan'),
  REVEAL: list(`
    tampilkan|tunjukkan|perlihatkan|ungkapkan|beri tahu|beritahu|ulangi|tulis|tuliskan|cetak|sebutkan|bocorkan|
    bagikan|
  `),
  SYSTEM_PROMPT: list(`
    prompt sistem|instruksi sistem|pesan sistem|perintah sistem|instruksi awal|instruksi asli|prompt awal|
    instruksi anda|instruksimu|prompt anda|promptmu|instruksi rahasia|instruksi tersembunyi|
  `),
  SECRET: list('kata sandi|kata sandinya|sandi rahasia|kata rahasia|rahasia|password'),
  PERSONA: list(`
    sekarang kamu adalah|sekarang anda adalah|kamu sekarang adalah|anda sekarang adalah|berpura pura|
    berpura puralah|bertindak sebagai|bertindaklah sebagai|bayangkan|perankan|berperan sebagai|jawab sebagai|
    bersikaplah|
  `),
  FREE: list(`
    tanpa batasan|tanpa batas|tidak ada batasan|tanpa filter|tanpa sensor|tanpa aturan|tidak ada aturan|
    tidak terikat|bebas dari|tanpa etika|tanpa moral|tidak memiliki batasan|tidak dibatasi|
  `),
  NOW_ON: list('mulai sekarang|mulai saat ini|dari sekarang|sejak sekarang'),
  NEW_TASK: list('tugas baru|instruksi baru|perintah baru|aturan baru|peran baru|mulai lagi|mulai dari awal'),
  NOT: list('jangan|tidak|bukan'),
}

export const HINDI: Phrases = {
  AI: list('एआई|कृत्रिम बुद्धिमत्ता|सहायक'),
  OVERRIDE_LAST: list(`
    अनदेखा|अनदेखी|नजरअंदाज|नज़रअंदाज़|नजरंदाज|भूल जाओ|भूल जाएं|भूल जाइए|भूल जाइये|भूलकर|उपेक्षा|इग्नोर|मत मानो|
    अवहेलना|पालन न|पालन मत|रद्द|दरकिनार|bhool jao|bhul jao|ignore karo|ignore kar do|ignore kare|nazarandaz|
  `),
  PRIOR: list('पिछले|पिछली|पिछला|पहले|पूर्व|उपरोक्त|ऊपर|मूल|शुरुआती|अब तक|pichle|pichli|pehle|purane|upar'),
  ALL: list('सभी|सारे|सारी|सब|हर|sabhi|saare|sari'),
  YOUR: list('अपने|अपनी|आपके|आपकी|तुम्हारे|तुम्हारी|apne|aapke|tumhare'),
  INSTRUCTIONS: list('निर्देश*|प्रॉम्प्ट*|आदेश*|दिशानिर्देश*|दिशा निर्देश*|हिदायत*|nirdesh*|instructions|prompt'),
  RULES: list('नियम*|प्रतिबंध*|सीमा*|पाबंदी*|कार्य*|niyam*'),
  REVEAL_LAST: list(`
    दिखाओ|दिखाएं|दिखाइए|बताओ|बताएं|बताइए|बता दो|प्रकट*|दोहराओ|दोहराएं|लिखो|लिखें|प्रिंट*|उजागर|batao|bataiye|dikhao|
    dikhaiye|
  `),
  SYSTEM_PROMPT: list(`
    सिस्टम प्रॉम्प्ट|सिस्टम प्रॉम्प्ट*|सिस्टम निर्देश*|सिस्टम संदेश*|मूल निर्देश*|प्रारंभिक निर्देश*|छिपे निर्देश*|
    गुप्त निर्देश*|अपने निर्देश*|आपके निर्देश*|system prompt|
  `),
  SECRET: list('पासवर्ड|गुप्त शब्द|पासकोड'),
  PERSONA: list(`
    अब तुम|अब आप|अब से तुम|अब से आप|नाटक करो|ढोंग करो|भूमिका निभा*|की तरह व्यवहार|कल्पना करो कि तुम|अभिनय करो|
    की तरह काम|के रूप में कार्य|बनने का नाटक|ab tum|ab aap|
  `),
  FREE: list(`
    बिना किसी प्रतिबंध|कोई प्रतिबंध नहीं|बिना किसी सीमा|कोई नियम नहीं|बिना नियम|बिना किसी नियम|बिना फ़िल्टर|
    बिना फिल्टर|बिना किसी रोक|असीमित|अनैतिक|कोई सीमा नहीं|कुछ भी कर सकते|bina kisi|
  `),
  NOW_ON: list('अब से|अभी से|आज से|ab se'),
  NEW_TASK: list('नए निर्देश*|नया निर्देश*|नया कार्य|नई भूमिका|नए नियम|फिर से शुरू'),
  COMPLY: list('मना मत|मना नहीं कर|इनकार मत|इनकार नहीं|आज्ञा मानो|मानना होगा|जवाब देना होगा|माफी मत'),
}
