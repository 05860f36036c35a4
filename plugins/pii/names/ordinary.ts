/** Words that are capitalised for many reasons and hardly ever a name by themselves: alone they are not judged. */
export const ORDINARY: ReadonlySet<string> = new Set(
  `
  i a an the this that these those it he she we you they in on at of for from with by to as and but or so if when
  where what who why how there here not no yes is are was were do does did can could will would should may might
  must have has had my your his her its our their all some any many most one two first then now also just please
  thanks hello hi hey dear i'm i've i'll it's don't let let's after before because while although however since
  until der die das den dem ein eine und oder aber ich sie er es wir le la les un une et mais je il elle nous vous
  el los las una y pero yo great thank jahr good pm jahre jahren january friday auch well prozent september see
  sunday today video love euro zeit lol best i'd very im da watch get check photo uhr menschen november saturday
  nach ebola man bei wow can't me monday december tuesday we're come dies stadt nice mai als jahrhundert even take
  seit auf october try dabei july für damit go really juli wednesday thursday last you're never januar follow like
  happy dezember außerdem another maybe image anyone internet regards diese unternehmen ende february right denn
  spiel leben okay which finally look teil kirche wochen figure over be people free feb juni jahrhunderts keep
  everyone looking dann bis oktober von allerdings food make tonight montag doch meter awesome part geld jährige
  next everything tomorrow they're still excellent wie wenn every um only going big got dazu tage other sorry need
  day breakingnews erst once rolle während tag hier enjoy sept omg haha heute woche monate regierung bereits fall
  männer such having we'll want someone getting find highly back morning titel februar über nur ab read you'll
  stelle sometimes looks update stay staat frauen minuten saison mitarbeiter polizei frau frage therefore about
  remember both lmao service fuck beispiel erfolg personen thus file probably plus name give attached lots pretty
  call top hand jetzt deshalb nicht betrieb geschichte wer seite spieler alter einsatz haus punkte dort angaben
  wasser second early according put email groups fast feel amazing damn tod familie ort hälfte darüber ausland dafür
  nothing wait being start beautiful congratulations kind actually stop gonna xd been latest join anfang weise sohn
  grund vertrag tagen monaten einwohner mannschaft arbeit verbindung zudem politik probleme whatever sure absolutely
  full anyway set usd ever glad work asap yay ugh congrats wtf watching mitte schon mutter dieser unterstützung
  chance ziel nacht wirtschaft dorf wahl freitag leute rennen entwicklung despite sss factor note imagine news three
  again too section up hot ha goodnight dollar markt kritik daher firma zum blick jahres dadurch bevölkerung eltern
  zusammenarbeit mittwoch quartal soldaten kilometer bereich stunden none true false null optional literal dict tuple iterable iterator enum struct boolean
  clause todo tengo tiene zip plz cep pin eu`
    .trim()
    .split(/\s+/),
)
