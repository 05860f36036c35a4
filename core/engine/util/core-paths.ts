/** Paths of the gateway's own endpoints, besides its API shapes. */
export const CORE_PATHS = {
  health: '/health',
  models: '/v1/models',
  /** Azure's spellings of the API. */
  azure: '/openai',
  audit: '/api/audit',
  inspection: '/api/inspection',
  upstreams: '/api/upstreams',
  plugins: '/api/plugins',
} as const
