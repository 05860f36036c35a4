import type { Kind } from './types.ts'

/** Office, design, customer and content services. */
export const SAAS: readonly Kind[] = [
  { type: 'atlassian_api_token', patterns: ['ATATT[\\w+/=-]{10,}'] },
  { type: 'trello_token', patterns: ['ATTA[0-9A-Fa-f]{60,}'] },
  {
    type: 'linear_api_key',
    patterns: ['lin_api_[A-Za-z0-9]{40,48}', 'lin_oauth_[A-Za-z0-9]{40,80}', 'lin_wh_[A-Za-z0-9]{32,48}'],
  },
  { type: 'notion_token', patterns: ['ntn_[A-Za-z0-9]{40,52}', 'secret_[A-Za-z0-9]{43}', 'nrt_[A-Za-z0-9_]{40,55}'] },
  { type: 'postman_api_key', patterns: ['PMAK-[A-Za-z0-9-]{59}', 'PMAT-[A-Z0-9]{26}'] },
  {
    type: 'figma_token',
    patterns: ['figd_[\\w-]{36,}', 'figu_[\\w-]{36,}', 'figor_[\\w-]{36,}', 'figp_[\\w-]{36,}', 'figuh_[\\w-]{36,}'],
  },
  { type: 'airtable_token', patterns: ['pat[A-Za-z0-9]{14}\\.[A-Za-z0-9]{64}'] },
  { type: 'dropbox_token', patterns: ['sl\\.u\\.[\\w-]{60,}', 'sl\\.[\\w=-]{100,}'] },
  { type: 'asana_token', patterns: ['1/[0-9]{12,18}:[0-9a-f]{32}', '2/[0-9]{12,18}/[0-9]{12,18}:[0-9a-f]{32}'] },
  { type: 'clickup_token', patterns: ['pk_[0-9]{5,10}_[A-Z0-9]{32}'] },
  {
    type: 'hubspot_token',
    patterns: ['na1', 'na2', 'na3', 'eu1', 'eu2', 'ap1'].map(
      (region) => `pat-${region}-[0-9A-Za-z]{8}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{12}`,
    ),
  },
  { type: 'typeform_token', patterns: ['tfp_[\\w.=-]{40,64}'] },
  { type: 'contentful_token', patterns: ['CFPAT-[\\w-]{43}'] },
  {
    type: 'mapbox_secret_token',
    patterns: ['sk\\.eyJ[\\w-]{40,}\\.[\\w-]{20,24}', 'sk\\.[\\w.-]{80,240}'],
    entropy: 3,
  },
  { type: 'adobe_client_secret', patterns: ['p8e-[A-Za-z0-9_-]{32,40}'] },
  { type: 'canva_client_secret', patterns: ['cnvca[\\w-]{40,60}'], entropy: 3.8 },
  { type: 'frameio_token', patterns: ['fio-u-[\\w=-]{64}'] },
  { type: 'salesforce_token', patterns: ['00[A-Za-z0-9]{13,16}![\\w.]{80,120}'] },
  { type: 'okta_token', patterns: ['SSWS (00[\\w-]{40}', '00[\\w-]{40}'], entropy: 4.2 },
  { type: 'zapier_webhook', patterns: ['hooks\\.zapier\\.com/hooks/catch/([\\w/]{12,40}'] },
]
