/** Types that do not come from a table in `kinds/`. */
export const STRUCTURED_TYPES = [
  'password',
  'api_key',
  'secret',
  'token',
  'authorization',
  'session_cookie',
  'aws_secret_access_key',
  'bearer_token',
  'basic_credentials',
  'url_credentials',
  'jwt',
  'private_key',
  'telegram_bot_token',
  'mailchimp_api_key',
] as const
