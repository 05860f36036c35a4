/** Where the gateway answers itself. A plugin may serve neither these paths nor what lies below them. */
export const CORE_PATHS = {
  health: '/health',
  chat: '/v1/chat/completions',
  models: '/v1/models',
  audit: '/api/audit',
} as const

export const isCorePath = (path: string): boolean =>
  Object.values(CORE_PATHS).some((own) => path === own || path.startsWith(`${own}/`))
