/** Where the gateway answers itself, beside the paths of its API shapes. */
export const CORE_PATHS = {
  health: '/health',
  models: '/v1/models',
  audit: '/api/audit',
} as const
