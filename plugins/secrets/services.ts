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
  'worl·dweather w·rike zendesk ze·nrows ze·nscrape zenserp zer·obounce zulip ' +
  'ab·yssale adzuna aeroworkflow alco·nost a·legra aleth·eiaapi ampl·itude a·nypoint apa·cta a·pideck a·pifonica ' +
  'a·pimatic a·pimetrics a·pitemplate ap·pcues a·ppfollow appoint·edd ap·poptics appsyne·rgy a·pptivo aut·oklose ' +
  'a·xonaut a·ylien a·yrshare baremetrics b·eebole besna·ppy betters·tack bil·lomat bi·tbar bit·coinaverage ' +
  'bla·zemeter blitapp bloc·knative bo·mbbomb boos·tnote bor·gbase bran·dfetch bro·wshot bu·ddyns bu·dibase ' +
  'bu·gherd buil·dkite b·ulbul c·aflou calen·dly calorieni·nja camp·ayn cann·yio ca·ptaindata car·boninterface ' +
  'cas·pio centralstation·crm cha·rtmogul ch·atfule che·cio checkl·yhq che·ckvist clic·khelp clicksen·dsms ' +
  'clie·ngo clientary clinc·hpad clockwor·ksms close·crm clo·udconvert cl·oudelements clou·dimage clo·udplan ' +
  'c·loverly clus·tdoc c·odacy cod·eclimate codem·agic codequ·iry coinapi coinlib commer·cejs compa·nyhub ' +
  'conte·ntful conve·rtapi co·nvier couc·hbase count·rylayer craf·tmypdf cro·wdin currencycl·oud currenc·yfreaks ' +
  'current·sapi customerg·uru dailyco da·reboost data·box detec·tify detec·tlanguage di·ffbot digger·naut doc·umo ' +
  'd·otdigital dovico dro·nahq d·yspatch eagl·eeyenetworks ecost·ruxureit ede·nai eig·htxeight enab·lex endo·rlabs ' +
  'en·voyapi et·hplorer eve·ntbrite exchangerat·eapi exchangerate·sapi extracto·rapi facepl·usplus fastfo·rex ' +
  'fee·dier fetc·hrss fibery fil·eio fi·nage fini·city flatio flee·tbase flig·htapi flig·htlabs flightstats ' +
  'flo·wflu fo·rmbucket fo·rmcraft for·msite ful·lstory fxmarket gec·koboard g·eoipifi getg·eoapi g·etresponse ' +
  'ge·tsandbox glassnode gtmetrix gu·mroad hap·pyscribe hell·osign he·lpcrunch her·eapi holida·yapi h·ybiscus ' +
  'hype·rtrack iconfinder iexapis iexcloud ima·gekit intersel·ler intri·nio ipquality jupiterone kanban kickbox ' +
  'kl·ipfolio kna·psackpro langua·gelayer l·emlist lemo·nsqueezy le·ndflow lessannoyin·gcrm le·xigram lin·enotify ' +
  'li·nkpreview livestorm loa·dmill logi·nradius l·oyverse ma·dkudu mavenlink meanin·gcloud m·eistertask mes·ibo ' +
  'met·aapi met·rilo mindm·eister moc·karoo mooncl·erk moosend mrticktock myfreshworks myintervals nasd·aqdatalink ' +
  'nethunt ne·tsuite neutrin·oapi nftport nicereply nigh·tfall nozbeteams o·mnisend oned·esk onel·ogin onesi·gnal ' +
  'o·nfleet oops·pam open·cagedata optimi·zely o·wlbot packa·gecloud pa·garme pan·dascore paperform paralle·ldots ' +
  'pars·ehub par·seur pa·rtnerstack past·ebin pay·moapp p·aymongo peopledat·alabs pganalyze pip·edream ' +
  'pivotaltracker pla·nyo pol·lsapi po·rtainer posta·geapp po·wrbot pr·odpad prospec·tcrm protoco·lsio purestake ' +
  'qu·alaroo qubole reac·hmail rechargep·ayments repai·rshopr repl·yio reque·stfinance re·stpack reva·mpcrm ' +
  'rit·ekit ro·otly ru·nrunit sale·sblink salescoo·kie sal·esflare sal·esmate scrap·eowl scrape·rbox ' +
  'screens·hotapi s·crutinizerci selec·tpdf se·rpstack sherpad·esk s·hippo s·hotstack si·gnaturit signu·pgenius ' +
  'si·gopt s·imfin simpl·esat simp·lynoted s·imvoly sitel·eaf s·kybiometry smar·tystreets sm·ooch sni·pcart ' +
  'spe·ctralops spee·chtextai s·slmate stack·hawk stat·uspal stitc·hdata stoc·kdata store·cove sto·rmboard ' +
  'surve·ysparrow s·urvicate swi·ftype tall·yfy tatu·mio tea·mgate teamwor·kcrm teamwor·kdesk tefter th·eoddsapi ' +
  'thin·gsboard thin·kific thousan·deyes tick·etmaster ticketta·ilor ti·mecamp ti·mezoneapi tmetric tog·gltrack ' +
  'tra·dier tyntec ty·petalk ub·idots unif·yid u·nplugg u·pcdatabase uplead uptimer·obot upwave vagran·tcloud ' +
  'versio·neye vi·ewneo voodoosms vp·napi wal·kscore wa·ndb websitep·ulse wor·ksnaps world·coinindex ' +
  'youneed·abudget y·ousign z·enkit zeplin zerotier zi·papi zi·pbooks zi·pcodeapi zi·pcodebase zohocrm ' +
  'zon·kafeedback jira co·nfluence luno freshworks vbout r·awg firecr·awl h·etzner l·inode sa·mbanova ce·rebras ups·tash ' +
  'weaviate qdrant pl·ivo vonage si·nch dande·lion ' +
  'abstra·ctapi a·dobesign a·dyen afte·rship agora a·irtable aiven al·lsports a·lphasense ambee ambeedata a·nkr ' +
  'a·nyscale a·pi2cart a·ppdynamics ap·psignal a·ppveyor art·ifactory ar·tsy a·udd au·th0 autod·esk a·vaza ' +
  'ba·ndwidth base·camp beamer be·lvo b·enzinga be·sttime b·itget b·itpanda b·itquery b·itrise bi·tstamp ' +
  'bloc·kcypher bloc·kfrost br·evo brig·htdata browse·rbase browse·rless bunn·ycdn bybit carte·sia ca·shboard cexio ' +
  'char·gebee cha·rgify chec·kly clic·katell clic·ksend coc·kroachdb cod·efresh coin·gecko coinmarketcap colle·ct2 ' +
  'comply·cube confi·gcat core·weave c·ovalent cron·ofy crypt·opanic d7network dat·ocms deadma·nssnitch d·ebounce ' +
  'deepi·nfra dee·psource de·mio dfuse dis·qus dnscheck dropb·oxsign duply ea·syinsight eo·dhd equi·nix e·xoscale ' +
  'e·xotel expor·tsdk fas·tspring financialmodeli·ngprep firewor·ksai fi·xer fla·gsmith fli·ckr for·mio fossa ' +
  'front·egg f·ulcrum fu·llcontact fusio·nauth g·emfury ge·ngo g·eoip ge·tgist g·itguardian goda·ddy go·odday ' +
  'gor·gias goshippo grap·hcms groov·ehq grow·thbook guardia·napi gupshup g·yazo healt·hchecks he·lius h·eygen ' +
  'hiv·eage hone·ybadger ho·tjar ht·ml2pdf h·uobi hygraph ide·nfy id·eogram i·mgix infl·uxdb in·fobip insig·htly ' +
  'i·p2location i·papi ipregistry jawg ju·mio juro kale·yra ka·rix karma·crm ke·ycdn klarna kontent kontentai ' +
  'ko·yeb kustomer kylas lan·gfuse leonar·doai ligh·tstep li·vechat li·vekit lo·gdna l·ogentries l·ogz lumalabs ' +
  'mag·iclink mailo·saur mai·lslurp mai·ltrap market·aux meilisearch met·eostat mexc mollie mond·aycom mothe·rduck ' +
  'mpart·icle m·sg91 m·urf ne·bius nomics nord·igen nort·hflank noti·ceable okta onepage·crm onf·ido ove·rloop ' +
  'o·xylabs pape·rtrail pa·ydirtapp p·aypal pe·rplexity phe·mex p·hotoroom pin·gdom p·irateship pl·anetscale ' +
  'pl·anview pla·yht podio pri·smic prope·lauth prox·ycurl p·ulumi qase ques·tdb qui·cknode ra·ygun ' +
  'reallysimpl·esystems re·ntman rou·te4me rou·tee ro·wnd r·udderstack ru·npod sati·smeter s·avvycal sc·alr ' +
  'scrapin·gdog s·emgrep sen·dcloud sen·dpost sen·dpulse se·rper s·heety ship·bob sh·ipday s·hipengine s·hipstation ' +
  's·hutterstock si·gnnow s·irv sma·rtlook sma·rtproxy smt·p2go snovio sno·wflake sno·wplow sock·etdev sock·etlabs ' +
  'sol·arwinds son·arqube sp·eechmatics spee·chtext sp·lunk stad·iamaps stat·uspage stor·ychief str·ipo st·ytch ' +
  's·ugester su·msub s·upabase supe·rnotes surv·eyanyplace surv·eybot synthe·sia tea·mcity tea·mworkspaces ' +
  'technicalanalysi·sapi tel·etype testin·gbot te·xtlocal thir·dweb tidio t·odoist tra·nsloadit tr·uelayer trul·ioo ' +
  'ty·peform u·pbit u·pcloud use·rflow vict·orops vyte weatherapi we·bex w·ebflow wepay w·hoxy wo·rkos wor·kstack ' +
  'wor·ldpay xata yandex yelp yodlee zegocloud zeptomail zilliz zoominfo zuora ' +
  'bithumb bitly braintree braintrust conversio·ntools cronitor d·eribit f·indl g·etemail g·etemails inst·abot ' +
  'lo·grocket l·usha maile·rsend maptiler mes·sari pinata p·usher rec·urly r·eplicate r·evai s·ematext si·gnable ' +
  'sin·glestore st·atsig st·rava to·keet tra·visci u·nsplash vastai ve·riff wi·stia ' +
  'a·dobe a·irship a·tlassian a·zure c·anny centra·lstation ch·atfuel c·loze dat·agov fa·cebook g·itlab h·apikey ' +
  'ipify lar·ksuite n·asdaq ne·tcore nozbe nuget open·aikey p·ercy pl·anviewleankit pos·tbacks pyxis r·unscope ' +
  's·crutinizer s·onar sumo t·atum te·legram toggl t·ravis twitch vagrant w·ebscraper z·onka kagi civo data·bento ' +
  'bintray etsy lig·hton i·bmcloud n·ewyorktimes r·eplit sho·pify gr·afana docke·rhub ' +
  'di·gicert midtrans n·vapi ite·rable pol·ymarket covalenthq squa·reup p·exels i·mgbb dr·ibbble ty·pesense ' +
  'pa·gertree i·ncidentio fi·rehydrant ins·tana sc·alyr coral·ogix co·metml ro·boflow speec·hify lam·bdalabs ' +
  'n·ovita silico·nflow m·oonshot das·hscope zhipu baichuan vo·lcengine qianfan hu·nyuan ' +
  'd·iscord t·witter sa·lesforce tab·leau mis·tral v·ercel ten·derly conte·ntstack s·trapi lin·kedin pyowm owm'

/** Words that name a service, too: they make no `key` a credential, as in `shortcut key`. */
export const SERVICE_WORDS =
  'apollo autop·ilot cha·tbot cicero clo·ckwork delig·hted deputy d·itto e·nigma e·nvoy geocode gua·rdian harness ' +
  'h·arvest holistic hum·anity hunter i·mpala n·imble pr·ospect re·vamp r·oaring ronin sanity shor·tcut swell ' +
  'te·amwork neptune l·eonardo ' +
  'copper co·urier elastic r·aven re·dhat ra·ilway se·maphore karma gr·oove ma·gnetic pi·votal to·morrow sq·uare pri·vacy ' +
  'proto·cols monday hive keen lark guru'

/** Of these, services whose keys are UUIDs or as long as hashes, and beside which people write few ids and hashes. */
export const HEX_KEYED: ReadonlySet<string> = new Set(
  (
    'abstractapi abuseipdb accuweather airbrake airvisual alienvault alphavantage ambee amplitude anypoint apacta ' +
    'appcues appoptics apptivo assemblyai autodesk autopilot avaza aviationstack axonaut besnappy besttime billomat ' +
    'bitbar bitmex blazemeter blockcypher boostnote braintree browserstack budibase bugsnag calendarific canny ' +
    'captaindata carboninterface censys clarifai clearbit clicksend cliengo clockify cloudconvert cloudmersive ' +
    'cloudsmith cloze coinapi coinlayer coinlib coinmarketcap collect2 convertapi convertkit countrylayer crowdin ' +
    'cryptocompare currencyfreaks currencycloud currencylayer currencyscoop customerio dandelion deepai deepgram detectlanguage ' +
    'duply edamam elasticemail elevenlabs eventbrite everhour exchangerate exchangerateapi exchangerates exportsdk ' +
    'facebook findl finicity finnhub fixer fixerio flickr flightapi flightstats freshdesk geocodify geocodio ' +
    'geoipifi getresponse glassnode goodday graphhopper gtmetrix helpscout heroku holidayapi holistic honeybadger ' +
    'honeycomb hubspot hypertrack iexcloud infura insightly interseller intrinio ipdata ipgeolocation ipinfodb ' +
    'ipqualityscore ipregistry ipstack jumpcloud klipfolio kucoin kylas languagelayer lemlist linode locationiq ' +
    'logdna loggly loginradius lokalise lunchmoney madkudu mailboxlayer mailerlite mailjet mailmodo mailsac ' +
    'marketstack mediastack meistertask meraki messagebird metaapi metabase monkeylearn moosend newsapi nexmo ' +
    'nftport nicereply nightfall numverify nutritionix oanda omnisend opencage opencagedata openweather ' +
    'openweathermap opsgenie packagecloud pandascore parseur pdflayer pdfshift peopledatalabs photoroom pinecone plivo ' +
    'poloniex positionstack postbacks postmark prodpad proxycrawl pushbullet quandl railway rawg raygun rebrandly ' +
    'rocketreach rollbar runrunit runscope saucelabs scaleway scraperapi scrapestack scrapingant scrapingbee ' +
    'scrapingdog screenshotlayer securitytrails selectpdf sendinblue sendpulse serpapi serper serpstack shodan snyk ' +
    'sonarcloud sonarqube sourcegraph sparkpost spoonacular sportsmonk squarespace statuspage stormboard stormglass ' +
    'tatum telnyx textmagic theoddsapi thinkific ticketmaster tickettailor tiingo timecamp timezonedb tmetric ' +
    'toggltrack tokeet tomorrowio tomtom tradier twelvedata twilio uclassify upcdatabase uploadcare urlscan ' +
    'userstack vatlayer verimail veriphone virustotal visualcrossing vonage vouchery vpnapi wandb weatherapi ' +
    'weatherbit weatherstack websitepulse whoxy worldweather wrike youneedabudget zendesk zenrows zenscrape zenserp ' +
    'zerobounce zipcodeapi zipcodebase'
  ).split(' '),
)
