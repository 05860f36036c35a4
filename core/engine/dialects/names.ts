/** Every shape that an upstream may serve, by the names of their dialects. */
export const SHAPES = ['chat-completions', 'completions', 'embeddings', 'messages', 'moderations', 'responses'] as const

export type ShapeName = (typeof SHAPES)[number]
