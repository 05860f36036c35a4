/** Options of a plugin as rows, for the command line and for READMEs. */
import type { JSONSchema } from 'json-schema-to-ts'

export interface OptionRow {
  /** `rules[].on`. */
  name: string
  type: string
  /** In YAML; empty if there is none. */
  default: string
  required: boolean
  description: string
}

/** The part of JSON Schema that plugins use. */
interface Node {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  default?: unknown
  description?: string
  required?: readonly string[]
  minimum?: number
  maximum?: number
  properties?: Readonly<Record<string, Node>>
  items?: Node
  additionalProperties?: Node | boolean
  anyOf?: readonly Node[]
  oneOf?: readonly Node[]
}

export function optionRows(schema: JSONSchema): OptionRow[] {
  const rows: OptionRow[] = []
  collect(schema as unknown as Node, '', rows)
  return rows
}

function collect(node: Node, prefix: string, rows: OptionRow[]): void {
  const required = node.required ?? []
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    rows.push({
      name: path,
      type: typeName(member),
      default: member.default === undefined ? '' : JSON.stringify(member.default),
      required: required.includes(name) && member.default === undefined,
      description: member.description ?? '',
    })
    for (const [suffix, inner] of innerMaps(member)) collect(inner, path + suffix, rows)
  }
}

/** Maps inside a value whose members get their own rows. */
function innerMaps(node: Node): [suffix: string, inner: Node][] {
  if (node.properties !== undefined) return [['', node]]
  if (isMap(node.items)) return innerMaps(node.items).map(([suffix, inner]) => [`[]${suffix}`, inner])
  if (isMap(node.additionalProperties)) {
    return innerMaps(node.additionalProperties).map(([suffix, inner]) => [`.<name>${suffix}`, inner])
  }
  return [...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap(innerMaps)
}

const isMap = (node: Node | boolean | undefined): node is Node => typeof node === 'object' && !Array.isArray(node)

function typeName(node: Node): string {
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum !== undefined)
    return node.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' | ')
  const branches = node.anyOf ?? node.oneOf
  if (branches !== undefined && node.type === undefined) return [...new Set(branches.map(typeName))].join(' | ')
  const types: string[] = [node.type ?? 'any'].flat()
  return types.map((type) => simpleType(type, node)).join(' | ')
}

function simpleType(type: string, node: Node): string {
  if (type === 'object') return 'map'
  if (type === 'array') {
    const item = isMap(node.items) ? typeName(node.items) : 'any'
    return item.includes(' ') ? `list of (${item})` : `list of ${item}`
  }
  if (type !== 'integer' && type !== 'number') return type
  const { minimum, maximum } = node
  if (minimum !== undefined && maximum !== undefined) return `${type} ${minimum}–${maximum}`
  return minimum === undefined ? type : `${type} ≥ ${minimum}`
}
