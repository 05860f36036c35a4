/**
 * Services whose name alone labels their key: `mapbox = "…"`. Not those of which people write ids or links in this way.
 * A dot as in `labels.ts`.
 */
export const SERVICE_NAMES =
  'abusei·pdb ac·cuweather a·dafruit ai·rbrake a·irvisual alch·emy a·lgolia al·ibaba alien·vault a·lphavantage ' +
  'ama·deus ap·iflash a·pify apil·ayer a·sana assembl·yai a·viationstack banne·rbear b·itbucket b·itfinex bit·mex ' +
  'bitt·rex bro·wserstack b·scscan bu·gsnag bul·ksms butter·cms calenda·rific capsule·crm ce·nsys circleci ' +
  'clar·ifai cle·arbit cli·ckup cloc·kify clo·udflare cloudi·nary clo·udmersive clou·dsmith code·cov c·ohere ' +
  'coinbase coinlayer con·fluent conve·rtkit coveralls cryptocompare currenc·ylayer curren·cyscoop custome·rio ' +
  'data·dog dee·pai de·epgram deepl deeps·eek digitalo·cean d·ocparser d·ocusign d·roneci dro·pbox d·wolla dynalist ' +
  'dyn·atrace ea·sypost eda·mam elasti·cemail elev·enlabs ethe·rscan eve·rhour e·xchangerate e·xchangerates fa·stly ' +
  'fi·nnhub fi·xerio flutter·wave fou·rsquare fram·eio fres·hbooks fre·shdesk geoa·pify g·eocodify g·eocodio ' +
  'g·itter gocanvas goca·rdless gra·phhopper g·roq h·asura hel·pscout her·oku hon·eycomb hu·bspot huggin·gface ' +
  'ima·gga i·nfura insta·mojo inte·rcom invoic·eocean ipdata ipgeolocation ipinfo ipin·fodb i·pqualityscore ' +
  'i·pstack jfrog jotform jumpcloud ka·nbantool keenio klav·iyo kraken k·ucoin lan·gsmith laun·chdarkly lea·dfeeder ' +
  'li·veagent locatio·niq log·gly l·ogzio lokalise looker lunc·hmoney mag·icbell mailb·oxlayer mailc·himp ' +
  'mail·erlite ma·ilgun mai·ljet ma·ilmodo mai·lsac mand·rill m·apbox m·apquest ma·rketstack matte·rmost ma·xmind ' +
  'medias·tack me·raki messa·gebird met·abase m·ixmax m·ixpanel monk·eylearn mo·ralis net·lify ne·wrelic ne·wsapi ' +
  'ne·wscatcher ne·xmo ng·rok n·umverify n·utritionix nylas nytimes oanda ope·ncage ope·nrouter ope·nuv ' +
  'op·enweather op·enweathermap o·psgenie pagerd·uty pan·dadoc paystack pdflayer p·dfshift pepipost pinecone ' +
  'pipedrive pixabay pl·aid polon·iex p·ositionstack post·hog po·stmark priva·teai prox·ycrawl pub·nub pus·hbullet ' +
  'q·uandl rapi·dapi ra·zorpay rebran·dly ri·ngcentral rocketreach roc·kset rol·lbar s·aucelabs scale·way ' +
  's·craperapi s·crapestack scr·apfly s·craping_bee s·crapingant scrapin·gbee scree·nshotlayer securi·tytrails ' +
  'sen·dbird sen·dgrid sendin·blue ser·papi se·rphouse sho·dan signa·lwire skrapp smar·tsheet smar·tsheets s·nyk ' +
  'sona·rcloud sour·cegraph spa·rkpost spoon·acular sportsm·onk squarespace status·cake stor·mglass storyb·lok ' +
  's·umologic tav·ily ta·xjar tel·nyx te·xtmagic tiingo tim·ezonedb tomorro·wio to·mtom tran·sferwise ' +
  't·ravelpayouts t·rello tw·elvedata twi·lio uclassify uploadcare u·rlscan users·tack v·atlayer ve·rimail ' +
  'veri·phone v·irustotal visua·lcrossing voi·cegain vouchery vu·ltr weatherbit weatherstack we·bscraping ' +
  'worl·dweather w·rike zendesk ze·nrows ze·nscrape zenserp zer·obounce zulip'
