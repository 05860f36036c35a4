import type { Kind } from './types.ts'

/** Chat, mail, telephony and social networks. */
export const MESSAGING: readonly Kind[] = [
  {
    type: 'slack_token',
    patterns: [
      'xoxe\\.xoxb-[\\w-]{20,}',
      'xoxe\\.xoxp-[\\w-]{20,}',
      'xoxe-[\\w-]{20,}',
      'xoxb-[\\w-]{16,}',
      'xoxp-[\\w-]{16,}',
      'xoxa-[\\w-]{10,}',
      'xoxr-[\\w-]{10,}',
      'xoxs-[\\w-]{10,}',
      'xoxo-[\\w-]{16,}',
      'xoxc-[\\w-]{16,}',
      'xwfp-[\\w-]{20,}',
      'xoxd-[\\w%+/=-]{16,}',
      'xapp-[\\w-]{20,}',
      'xapp-[0-9]-[A-Z0-9]{2,}-[0-9]{1,}-[a-z0-9]{2,}',
    ],
  },
  {
    type: 'slack_webhook',
    patterns: [
      'hooks\\.slack\\.com/services/([\\w/]{30,80}',
      'hooks\\.slack\\.com/workflows/([\\w/]{30,100}',
      'hooks\\.slack\\.com/triggers/([\\w/]{30,100}',
    ],
  },
  // The first part is the bot's numeric id in base64, which limits its first four characters.
  {
    type: 'discord_bot_token',
    patterns: ['[MNO][DTjz][AEIMQUYcgk][wxyz0-5][\\w-]{19,27}\\.[\\w-]{6}\\.[\\w-]{25,45}', 'mfa\\.[\\w-]{80,}'],
  },
  {
    type: 'discord_webhook',
    patterns: [
      'discord\\.com/api/webhooks/[0-9]{16,20}/([\\w-]{60,80}',
      'discordapp\\.com/api/webhooks/[0-9]{16,20}/([\\w-]{60,80}',
    ],
  },
  {
    type: 'teams_webhook',
    patterns: [
      '\\.webhook\\.office\\.com/webhookb2/([\\w@/-]{60,}',
      'outlook\\.office\\.com/webhook/([\\w@/-]{60,}',
      'outlook\\.office365\\.com/webhook/([\\w@/-]{60,}',
    ],
    inWord: true,
  },
  {
    type: 'lark_webhook',
    patterns: ['feishu\\.cn', 'larksuite\\.com'].map((host) => `${host}/open-apis/bot/v2/hook/([0-9a-f-]{36}`),
    inWord: true,
  },
  { type: 'ifttt_webhook_key', patterns: ['/with/key/([\\w-]{22,64}'], inWord: true, entropy: 3.6 },
  { type: 'make_webhook', patterns: ['hook\\.[eu][us][0-9]\\.make\\.com/([a-z0-9]{32}'] },
  { type: 'mattermost_webhook', patterns: ['/hooks/([a-z0-9]{26}'], inWord: true, entropy: 3.4 },
  {
    type: 'instagram_access_token',
    patterns: ['IGQV[\\w-]{60,}', 'IGAA[A-Za-z0-9]{80,}', 'THAA[A-Za-z0-9]{80,}'],
    entropy: 3.6,
  },
  { type: 'linkedin_access_token', patterns: ['AQ[UVWX][\\w-]{150,}'], entropy: 4.5 },
  {
    type: 'tiktok_access_token',
    patterns: ['act\\.', 'rft\\.'].map((head) => `${head}[A-Za-z0-9]{30,120}![0-9]{1,5}\\.[a-z]{2}`),
  },
  { type: 'twitch_chat_token', patterns: ['oauth:([a-z0-9]{30}'], entropy: 3.4 },
  { type: 'twitch_stream_key', patterns: ['live_[0-9]{8,12}_[A-Za-z0-9]{20,40}'], entropy: 3.4 },
  { type: 'nylas_api_key', patterns: ['nyk_[A-Za-z0-9_]{60,70}'], entropy: 3.6 },
  { type: 'twilio_api_key', patterns: ['SK[A-Za-z0-9]{32}'], entropy: 3 },
  { type: 'twilio_account_sid', patterns: ['AC[0-9a-f]{32}'] },
  { type: 'sendgrid_api_key', patterns: ['SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}', 'SG\\.[\\w=.-]{66}'] },
  {
    type: 'mailgun_api_key',
    patterns: ['key-[0-9a-z]{32}', 'pubkey-[0-9a-f]{32}', '[0-9a-f]{32}<-[0-9a-f]{8}-[0-9a-f]{8}'],
    entropy: 3,
  },
  { type: 'mailchimp_api_key', patterns: ['[0-9a-f]{32}<-us[0-9]{1,2}'] },
  {
    type: 'telegram_bot_token',
    patterns: ['[0-9]{8,10}<:[\\w-]{35}', '[0-9]{8,10}<:AA[\\w-]{32,33}', 'bot([0-9]{8,10}:[\\w-]{35}'],
    entropy: 3.2,
  },
  {
    type: 'brevo_api_key',
    patterns: ['xkeysib-[\\w-]{81}', 'xsmtpsib-[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  },
  { type: 'resend_api_key', patterns: ['re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}'] },
  { type: 'onesignal_api_key', patterns: ['os_v2_app_[a-z0-9]{60,}', 'os_v2_org_[a-z0-9]{60,}'] },
  { type: 'intercom_access_token', patterns: ['dG9rO[A-Za-z0-9+/=_-]{50,}'] },
  {
    type: 'facebook_access_token',
    patterns: [
      ...[...'BCDEFGHIJKLMOPQRSTUVWXYZ'].map((letter) => `EAA${letter}[A-Za-z0-9]{80,}`),
      'EAACEdEose0cBA[A-Za-z0-9]{4,}',
    ],
  },
  {
    type: 'facebook_app_token',
    patterns: ['[0-9]{13,16}<|[\\w-]{27,40}', '[0-9]{13,16}<%7C[\\w-]{27,40}'],
    entropy: 3.8,
  },
  { type: 'twitter_bearer_token', patterns: ['AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{50,}'], entropy: 2 },
  { type: 'twitter_access_token', patterns: ['[0-9]{8,20}<-[A-Za-z0-9]{40}'], entropy: 4, bothCases: true },
  { type: 'linkedin_client_secret', patterns: ['WPL_AP[0-9]\\.[A-Za-z0-9]{14,20}\\.[A-Za-z0-9=+/]{6,}'] },
]
