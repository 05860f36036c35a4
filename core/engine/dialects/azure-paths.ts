/** What clients of Azure call a path of OpenAI's API. */
export const azurePaths = (path: string): readonly string[] => [`/openai/v1${path}`, `/openai${path}`]

/** Paths of the APIs that name the model's deployment. */
export const deploymentPaths = (path: string): readonly string[] => [
  ...azurePaths(path),
  `/openai/deployments/{model}${path}`,
]
