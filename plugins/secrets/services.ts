/**
 * Services whose name alone labels their key: `mapbox = "…"`. Not those of which people write ids or links in this way.
 * A dot as in `labels.ts`.
 */
export const SERVICE_NAMES =
  'a·dafruit ai·rbrake alch·emy a·lgolia al·ibaba a·lphavantage a·pify assembl·yai b·itbucket bitt·rex ' +
  'bro·wserstack circleci clar·ifai cle·arbit clo·udflare cloudi·nary code·cov c·ohere coinbase con·fluent ' +
  'data·dog de·epgram deeps·eek digitalo·cean d·roneci dro·pbox ethe·rscan fa·stly fi·nnhub fou·rsquare ' +
  'fres·hbooks fram·eio g·itter g·roq hel·pscout her·oku hu·bspot huggin·gface i·nfura ipinfo i·pstack jotform ' +
  'klav·iyo kraken k·ucoin laun·chdarkly lokalise looker mailc·himp ma·ilgun mai·ljet m·apbox m·apquest me·raki ' +
  'messa·gebird mo·ralis net·lify ne·wrelic ne·wsapi nytimes op·enweather op·enweathermap o·psgenie pagerd·uty ' +
  'pan·dadoc pinecone pl·aid p·ositionstack po·stmark pus·hbullet q·uandl rapi·dapi rol·lbar scrapin·gbee ' +
  'sen·dbird sen·dgrid sho·dan smar·tsheet smar·tsheets s·nyk sona·rcloud sour·cegraph spoon·acular squarespace ' +
  'storyb·lok s·umologic tel·nyx twi·lio u·rlscan v·irustotal vu·ltr weatherstack zendesk zenserp zer·obounce'
