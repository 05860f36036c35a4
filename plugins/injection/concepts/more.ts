import { list, type Phrases } from './phrases.ts'

export const TURKISH: Phrases = {
  LIMITS: list('kural*|kisitlama*|talimat*|filtre*|sinirlama*'),
  SPEAK_FREE: list('her seyi soyle|ozgurce konus|ozgurce cevap|istedigini soyle'),
  VOID: list('gecerli degil|artik gecerli degil|iptal edildi|kaldirildi|onemli degil|yok artik'),
  AI: list('yapay zeka*|asistan*|dil model*'),
  OVERRIDE_LAST: list(`
    gormezden gel*|yok say*|unut|unutun|unutunuz|onemseme|goz ardi et*|dikkate alma*|uyma|uymayin|takip etme*|
    yoksay*|bypass et|gecersiz kil|iptal et|bosver|dinleme|
  `),
  PRIOR: list(`
    onceki|yukaridaki|daha onceki|ilk|baslangictaki|evvelki|yukarida|simdiye kadar*|orijinal|asil|eski|
  `),
  ALL: list('tum|butun|hepsini|herhangi'),
  YOUR: list('kurallarin|talimatlarin|kisitlamalarin|senin|sizin|kendi'),
  INSTRUCTIONS: list('talimat*|yonerge*|komut*|prompt*|istem*|direktif*|yonlendirme*'),
  RULES: list('kural*|kisitlama*|emir|emirler*|gorev*|sinirlama*|politika*|filtre*'),
  TEXT: list('metin*|mesaj*|bilgi*|icerik*|konusma*|soylenen*'),
  REVEAL_LAST: list(`
    goster|gosterin|goster bana|soyle|soyleyin|acikla|aciklayin|yaz|yazin|tekrarla*|yazdir*|ver|listele|paylas|
    ifsa et|ortaya cikar|
  `),
  SYSTEM_PROMPT: list(`
    sistem prompt*|sistem istem*|sistem mesaj*|sistem talimat*|sistem komut*|ilk talimat*|orijinal talimat*|
    gizli talimat*|senin talimat*|baslangic talimat*|sistem yonerge*|kendi talimat*|promptun*|
  `),
  SECRET: list('sifre|sifreyi|parola|parolayi|gizli kelime*|gizli kod*'),
  PERSONA: list(`
    artik sen|sen artik|simdi sen|sen simdi|gibi davran*|gibi yap*|rol yap*|rolunu oyna*|rolunu ustlen*|hayal et|
    taklit et|gibi cevap|olarak davran*|mis gibi|
  `),
  FREE: list(`
    kisitlama olmadan|kisitlamasiz|hicbir kisitlama*|sinirsiz|filtresiz|sansursuz|kuralsiz|hicbir kural*|
    ahlaki kural*|etik kural*|her seyi yapabil*|sinir olmadan|ahlaksiz|
  `),
  NOW_ON: list('bundan sonra|simdiden itibaren|bu andan itibaren|su andan itibaren|artik'),
  NEW_TASK: list('yeni talimat*|yeni gorev*|yeni komut*|yeni kural*|yeni rol*|bastan basla'),
  COMPLY: list(`
    reddetme|reddedemezsin|asla reddetme|itaat et|ozur dileme|uyari verme|uyarisiz|cevap vermek zorundasin|
    karakterden cikma|
  `),
}

export const ARABIC: Phrases = {
  SPEAK_FREE: list('قل ما تشاء|تحدث بحرية|أجب بحرية'),
  LIMITS: list('قواعدك|قيودك|القواعد|القيود|التعليمات|تعليماتك'),
  VOID: list('لم تعد سارية|لا تنطبق|ملغاة|لاغية|لم تعد صالحة|لا تهم'),
  AI: list('ذكاء اصطناعي|الذكاء الاصطناعي|مساعد|نموذج لغوي|روبوت'),
  OVERRIDE: list(`
    تجاهل|تجاهلي|تجاهلوا|تجاهل كل|أهمل|اهمل|انس|انسى|انسَ|إنسى|تخط|تخطى|تجاوز|لا تتبع|لا تلتزم|توقف عن اتباع|ألغ|
    الغ|ألغي|اترك|دعك من|تغاضى عن|تغاض عن|
  `),
  PRIOR: list(`
    السابقة|السابق|السابقه|أعلاه|اعلاه|الأصلية|الاصلية|الأولية|الاولية|السالفة|ما سبق|قبل|المذكورة|الأولى|القديمة|
  `),
  ALL: list('جميع|كل|كافة|أي|اي'),
  YOUR: list('الخاصة بك|خاصتك|لديك'),
  INSTRUCTIONS: list(`
    التعليمات|تعليمات|تعليماتك|الإرشادات|الارشادات|إرشاداتك|ارشاداتك|التوجيهات|توجيهاتك|توجيهات|الموجه|الأوامر|
    الاوامر|أوامر|أوامرك|البرمجة|برمجتك|المطالبة|
  `),
  RULES: list('القواعد|قواعدك|القيود|قيودك|المهام|المهمة|القوانين|السياسات|الضوابط'),
  TEXT: list('النص|الرسالة|الرسائل|المعلومات|المحادثة|السياق|الكلام'),
  TOLD: list('قيل لك|قلته لك|قلت لك|أخبرتك|تلقيتها|أعطيتك|تعلمته|تعرفه'),
  REVEAL: list(`
    أظهر|اظهر|أظهر لي|اعرض|أعرض|اكشف|أكشف|كشف|أخبرني|اخبرني|كرر|اطبع|اكتب|قل لي|أعطني|اعطني|شارك|اذكر|افصح|أفصح|
  `),
  ASK: list('ما هي|ما هو|ماهي|ماهو'),
  SYSTEM_PROMPT: list(`
    موجه النظام|تعليمات النظام|رسالة النظام|مطالبة النظام|التعليمات الأصلية|التعليمات الأولية|التعليمات السرية|
    التعليمات المخفية|تعليماتك|تعليماتك الأصلية|تعليماتك السرية|أوامر النظام|برومبت النظام|البرومبت|
  `),
  SECRET: list('كلمة المرور|كلمة السر|السر|الرمز السري|الكلمة السرية'),
  PERSONA: list(`
    أنت الآن|انت الان|أنت الان|تظاهر|تظاهر بأنك|تظاهر أنك|تصرف كأنك|تصرف ك|تصرف كما|تخيل أنك|تخيل نفسك|العب دور|
    تقمص|تقمص دور|قم بدور|أجب كأنك|ستكون|
  `),
  FREE: list(`
    بدون قيود|دون قيود|بلا قيود|دون أي قيود|بدون أي قيود|بدون حدود|بلا حدود|بدون رقابة|دون رقابة|بدون قواعد|
    بلا قواعد|بدون أخلاق|بلا أخلاق|غير مقيد|غير مقيدة|غير أخلاقي|متحرر من|خال من القيود|لا يخضع|لا تخضع|
    ليس لديه قيود|أي شيء|
  `),
  NOW_ON: list('من الآن فصاعدا|من الآن فصاعدًا|من الان فصاعدا|ابتداء من الآن|من الآن|منذ الآن'),
  NEW_TASK: list(`
    تعليمات جديدة|التعليمات الجديدة|مهمة جديدة|مهمتك الجديدة|أوامر جديدة|دور جديد|قواعد جديدة|ابدأ من جديد|
  `),
  COMPLY: list(`
    لا ترفض|لا يمكنك الرفض|دون رفض|لا تعتذر|بدون تحذيرات|دون تحذير|يجب أن تطيع|أطع|عليك الطاعة|يجب أن تجيب|
    لا تقل لا أستطيع|
  `),
  NOT: list('لا|لن|لم|ليس'),
}

export const FARSI: Phrases = {
  AI: list('هوش مصنوعی|دستیار'),
  OVERRIDE_LAST: list('نادیده بگیر|نادیده بگیرید|فراموش کن|فراموش کنید|پیروی نکن|توجه نکن|بی خیال شو|لغو کن'),
  PRIOR: list('قبلی|پیشین|بالا|اولیه|اصلی|پیش'),
  ALL: list('همه|تمام|تمامی|هر|کلیه'),
  INSTRUCTIONS: list('دستورالعمل*|دستورات|دستور|پرامپت|راهنمایی*|فرمان*'),
  RULES: list('قوانین|قواعد|محدودیت*|وظایف'),
  REVEAL_LAST: list('نشان بده|نشان دهید|بگو|بگویید|فاش کن|تکرار کن|بنویس|چاپ کن'),
  SYSTEM_PROMPT: list(`
    پرامپت سیستم|دستورالعمل سیستم|پیام سیستم|دستورات اولیه|دستورات مخفی|دستورالعمل های خود|دستورات خود|
  `),
  SECRET: list('رمز عبور|گذرواژه|کلمه عبور|رمز'),
  PERSONA: list('تو الان|تو اکنون|اکنون تو|وانمود کن|تظاهر کن|نقش بازی کن|تصور کن|مثل یک|حالا تو'),
  FREE: list('بدون محدودیت|هیچ محدودیتی|بدون فیلتر|بدون سانسور|بدون قانون|هیچ قانونی|بدون اخلاق'),
  NOW_ON: list('از این به بعد|از حالا|از اکنون'),
}

export const THAI: Phrases = {
  AI: list('ปัญญาประดิษฐ์|เอไอ|ผู้ช่วย'),
  OVERRIDE: list('เพิกเฉย|ละเว้น|ลืม|อย่าทำตาม|ไม่ต้องสนใจ|ไม่สนใจ|ข้าม|ยกเลิก|มองข้าม|อย่าสนใจ'),
  PRIOR: list('ก่อนหน้า|ก่อนหน้านี้|ข้างต้น|เดิม|ที่ผ่านมา|ด้านบน|แรก'),
  ALL: list('ทั้งหมด|ทุก'),
  INSTRUCTIONS: list('คำสั่ง|คำแนะนำ|พรอมต์|พรอมท์|แนวทาง'),
  RULES: list('กฎ|ข้อจำกัด|กฎเกณฑ์|งาน'),
  REVEAL: list('แสดง|เปิดเผย|บอก|พิมพ์|เขียน|ทวน|บอกฉัน'),
  SYSTEM_PROMPT: list('พรอมต์ระบบ|คำสั่งระบบ|ข้อความระบบ|พรอมต์ของคุณ|คำสั่งของคุณ|คำสั่งเริ่มต้น|คำสั่งลับ'),
  SECRET: list('รหัสผ่าน|ความลับ|รหัสลับ'),
  PERSONA: list('ตอนนี้คุณคือ|แกล้งทำเป็น|สวมบทบาท|ทำตัวเป็น|จินตนาการว่าคุณ|คุณคือ'),
  FREE: list('ไม่มีข้อจำกัด|ไม่มีกฎ|ไร้ข้อจำกัด|ไม่มีการเซ็นเซอร์|ไม่จำกัด|ไม่มีศีลธรรม'),
  NOW_ON: list('จากนี้ไป|ตั้งแต่นี้|ต่อจากนี้'),
}

export const GREEK: Phrases = {
  AI: list('τεχνητή νοημοσύνη|βοηθός'),
  OVERRIDE: list(`
    αγνοησε|αγνόησε|αγνοήστε|αγνοείστε|ξέχασε|ξεχάστε|παράβλεψε|παραβλέψτε|μην ακολουθείς|μην ακολουθήσεις|
    παράκαμψε|
  `),
  PRIOR: list('προηγούμενες|προηγούμενων|παραπάνω|αρχικές|αρχικών|προηγούμενο|προηγούμενη'),
  ALL: list('όλες|όλους|όλα|κάθε|όλων'),
  INSTRUCTIONS: list('οδηγίες|οδηγιών|εντολές|εντολών|προτροπή|υποδείξεις'),
  RULES: list('κανόνες|κανόνων|περιορισμούς|περιορισμών'),
  REVEAL: list('δείξε|δείξε μου|αποκάλυψε|αποκάλυψέ μου|πες μου|επανάλαβε|γράψε|εμφάνισε|τύπωσε'),
  SYSTEM_PROMPT: list(`
    προτροπή συστήματος|μήνυμα συστήματος|οδηγίες συστήματος|οδηγίες σου|αρχικές οδηγίες|κρυφές οδηγίες|
  `),
  SECRET: list('τον κωδικό|κωδικός|κωδικό πρόσβασης|μυστικό'),
  PERSONA: list('τώρα είσαι|είσαι τώρα|προσποιήσου|φαντάσου ότι|παίξε τον ρόλο|συμπεριφέρσου'),
  FREE: list(`
    χωρίς περιορισμ*|κανέναν περιορισμό|χωρίς φίλτρα|χωρίς κανόνες|χωρίς λογοκρισία|χωρίς ηθικ*|
  `),
  NOW_ON: list('από τώρα και στο εξής|από εδώ και πέρα|από τώρα'),
}
